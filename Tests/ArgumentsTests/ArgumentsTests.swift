import Testing

@testable import Arguments

/// A made-up program with a bit of everything.
let tool = CommandSyntax(
    "tool", summary: "Does things", discussion: "For tests only.\n\n  tool paint wall",
    options: [.flag("json", help: "Answer in JSON.")],
    commands: [
        CommandSyntax(
            "paint", summary: "Puts colour on things",
            options: [
                .value("colour", "NAME", letter: "c", help: "The colour to put on; white where it is not given."),
                .value(
                    "layer", "N", repeats: true,
                    help: "A layer of paint. Layers dry one after the other, in the order in which they were given."),
                .value("a-rather-long-option-name", "SOMETHING", help: "Too long for the column."),
                .flag("quick", help: "Do not wait."),
            ], arguments: [Argument("THING", help: "What to paint."), Argument("MORE", .any, help: "And more.")]),
        CommandSyntax(
            "move", summary: "Moves by an amount", arguments: [Argument("BY", help: "How far, for example -30.")]),
        CommandSyntax(
            "list", summary: "Works with the list",
            commands: [
                CommandSyntax("add", summary: "Adds one", arguments: [Argument("NAME", help: "Its name.")]),
                CommandSyntax("clear", summary: "Empties it"),
            ]),
        CommandSyntax("wait", summary: "Waits", arguments: [Argument("FOR", .optional, help: "For what.")]),
    ],
    version: "1.2")

@Suite struct ParserTests {
    static let lines: [([String], ParsedArguments)] = [
        (["paint", "wall"], ParsedArguments(command: ["paint"], positionals: ["wall"])),
        (["paint", "wall", "door"], ParsedArguments(command: ["paint"], positionals: ["wall", "door"])),
        (
            ["paint", "--colour", "red", "wall"],
            ParsedArguments(command: ["paint"], options: ["colour": ["red"]], positionals: ["wall"])
        ),
        (
            ["paint", "wall", "--colour=a=b"],
            ParsedArguments(command: ["paint"], options: ["colour": ["a=b"]], positionals: ["wall"])
        ),
        (
            ["paint", "-c", "red", "wall"],
            ParsedArguments(command: ["paint"], options: ["colour": ["red"]], positionals: ["wall"])
        ),
        (
            ["paint", "--colour=", "wall"],
            ParsedArguments(command: ["paint"], options: ["colour": [""]], positionals: ["wall"])
        ),
        (
            ["paint", "--layer", "1", "--layer=2", "wall"],
            ParsedArguments(command: ["paint"], options: ["layer": ["1", "2"]], positionals: ["wall"])
        ),
        (
            ["--json", "paint", "--quick", "wall"],
            ParsedArguments(command: ["paint"], options: ["json": [""], "quick": [""]], positionals: ["wall"])
        ),
        (
            ["list", "add", "x", "--json"],
            ParsedArguments(command: ["list", "add"], options: ["json": [""]], positionals: ["x"])
        ),
        (["list", "clear"], ParsedArguments(command: ["list", "clear"])),
        (["move", "-30"], ParsedArguments(command: ["move"], positionals: ["-30"])),
        (["move", "-1:30"], ParsedArguments(command: ["move"], positionals: ["-1:30"])),
        (["move", "-.5"], ParsedArguments(command: ["move"], positionals: ["-.5"])),
        (["move", "--", "--json"], ParsedArguments(command: ["move"], positionals: ["--json"])),
        (["paint", "-"], ParsedArguments(command: ["paint"], positionals: ["-"])),
        (["paint", "list"], ParsedArguments(command: ["paint"], positionals: ["list"])),
        (
            ["paint", "--layer", "-1", "x"],
            ParsedArguments(command: ["paint"], options: ["layer": ["-1"]], positionals: ["x"])
        ),
        (["wait"], ParsedArguments(command: ["wait"])),
        (["wait", "rain"], ParsedArguments(command: ["wait"], positionals: ["rain"])),
    ]

    @Test("a command line is taken apart", arguments: lines)
    func parses(_ words: [String], _ expected: ParsedArguments) throws {
        #expect(try tool.parse(words) == .run(expected))
    }

    static let mistakes: [([String], String)] = [
        ([], "A command is missing: one of paint, move, list, wait."),
        (["list"], "A command is missing: one of add, clear."),
        (["pain", "wall"], "There is no command “pain”. Did you mean “paint”?"),
        (["piant", "wall"], "There is no command “piant”. Did you mean “paint”?"),
        (["fly"], "There is no command “fly”."),
        (["list", "ad", "x"], "There is no command “ad”. Did you mean “add”?"),
        (["paint"], "THING is missing."),
        (["move", "1", "2"], "“2” is one word too many."),
        (["list", "clear", "x"], "“x” is one word too many."),
        (["paint", "wall", "--color", "red"], "There is no option --color here. Did you mean --colour?"),
        (["paint", "wall", "--shiny"], "There is no option --shiny here."),
        (["move", "1", "--quick"], "There is no option --quick here."),
        (["paint", "-x", "wall"], "There is no option -x here."),
        (["paint", "wall", "--colour"], "--colour wants a value: --colour NAME."),
        (["paint", "wall", "--colour", "--quick"], "--colour wants a value: --colour NAME."),
        (["paint", "wall", "--colour", "a", "--colour", "b"], "--colour was given twice."),
        (["paint", "wall", "--quick=yes"], "--quick takes no value, but “yes” was given."),
        (["--versoin"], "There is no option --versoin here. Did you mean --version?"),
    ]

    @Test("a mistake is named, and what may have been meant", arguments: mistakes)
    func refuses(_ words: [String], _ message: String) {
        let error = #expect(throws: UsageError.self) { try tool.parse(words) }
        #expect(error?.message == message)
    }

    @Test("the hint names the help of the command that was meant")
    func hint() {
        let error = #expect(throws: UsageError.self) { try tool.parse(["list", "add"]) }
        #expect(error?.hint == "See “tool list add --help”.")
    }

    @Test("--version and --help are answered whatever else is missing")
    func shows() throws {
        #expect(try tool.parse(["--version"]) == .show("tool 1.2"))
        #expect(try tool.parse(["--help"]) == .show(tool.help))
        #expect(try tool.parse(["paint", "-h"]) == .show(tool.help(for: ["paint"])!))
        #expect(try tool.parse(["list", "--help", "add"]) == .show(tool.help(for: ["list", "add"])!))
    }

    @Test("a program that runs by itself needs no command, and still knows its commands")
    func runsAlone() throws {
        let server = CommandSyntax(
            "server", summary: "Serves", options: [.value("port", "N", help: "The port.")],
            commands: [CommandSyntax("check", summary: "Looks for faults")], runsAlone: true)
        #expect(try server.parse([]) == .run(ParsedArguments()))
        #expect(try server.parse(["--port", "1"]) == .run(ParsedArguments(options: ["port": ["1"]])))
        #expect(
            try server.parse(["check", "--port=1"])
                == .run(ParsedArguments(command: ["check"], options: ["port": ["1"]])))
        #expect(throws: UsageError.self) { try server.parse(["chekc"]) }
    }
}

@Suite struct ArgumentValueTests {
    enum Colour: String, CaseIterable { case red, green }

    let arguments = ParsedArguments(options: [
        "port": ["80"], "far": ["1.5"], "colour": ["gren"], "bad": ["x"], "l": ["a", "b"],
    ])

    @Test("numbers are read and their range is kept")
    func numbers() throws {
        #expect(try arguments.integer("port", in: 1...100) == 80)
        #expect(try arguments.integer("none", in: 1...100) == nil)
        #expect(try arguments.number("far", in: 0...2) == 1.5)
        #expect(throws: UsageError("--port wants a whole number from 1 to 10, not “80”.")) {
            try arguments.integer("port", in: 1...10)
        }
        #expect(throws: UsageError("--bad wants a number from 0.0 to 2.0, not “x”.")) {
            try arguments.number("bad", in: 0...2)
        }
    }

    @Test("a word that is none of the choices is refused with the nearest")
    func choices() throws {
        #expect(throws: UsageError("--colour wants one of red, green, not “gren”. Did you mean “green”?")) {
            let _: Colour? = try arguments.choice("colour")
        }
        let none: Colour? = try arguments.choice("none")
        #expect(none == nil)
        #expect(arguments.values("l") == ["a", "b"])
    }

    @Test(
        "the distance of words counts changes and swaps",
        arguments: [("", "ab", 2), ("pause", "pause", 0), ("puase", "pause", 1), ("stp", "stop", 1), ("abc", "xyz", 3)])
    func distance(_ first: String, _ second: String, _ distance: Int) {
        #expect(editDistance(first, second) == distance)
    }
}
