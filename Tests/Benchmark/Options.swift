import Arguments

/// What the command line asks for.
struct Options {
    /// The folder of castreceiver and castsend.
    var binaries: String
    /// The figures wanted.
    var figures: [Figure]
    /// The peers wanted, as the table names them.
    var peers: Set<String>
    /// Rounds; each player has its turn in each.
    var runs: Int
    /// Seconds of a clip over which processor time is taken.
    var seconds: Double
    var thresholds: String
    var json: String
    /// Whether a missed bar ends the program with 1.
    var isStrict: Bool

    private static let syntax = CommandSyntax(
        "benchmark", summary: "Measures castway beside other players, from outside",
        discussion: """
            Plays clips whose pictures carry a number and whose seconds begin with a tone, on an X screen in memory and a \
            sound card that nobody hears, and watches both. The players take turns.

            Figures: \(Figure.all.map(\.id).joined(separator: ", ")).
            """,
        options: [
            .value("only", "FIGURES", help: "Only figures that begin so; several with commas between them."),
            .value(
                "peers", "NAMES",
                help: "Beside which players: mpv, vlc, ffplay; none for castway alone. All unless given."),
            .value("runs", "N", help: "Rounds, 1 to 100; 3 unless given."),
            .value("seconds", "N", help: "Seconds over which processor time is taken, 2 to 300; 30 unless given."),
            .value("thresholds", "FILE", help: "The bars; packaging/bench.json unless given."),
            .value("json", "FILE", help: "Where the figures go as JSON; .build/bench.json unless given."),
            .flag("strict", help: "End with 1 where a bar is missed."),
        ], arguments: [Argument("PROGRAMS", help: "The folder of castreceiver and castsend.")])

    /// Reads the command line; nil where there was only help to be shown, and it has been.
    init?(_ words: [String]) throws {
        guard case .run(let arguments) = try Self.syntax.parse(words) else {
            if case .show(let text) = try Self.syntax.parse(words) { print(text) }
            return nil
        }
        binaries = arguments.positional(0) ?? ""
        let wanted = arguments.value("only")?.split(separator: ",") ?? [""]
        figures = Figure.all.filter { figure in wanted.contains { figure.id.hasPrefix($0) } }
        guard !figures.isEmpty else { throw UsageError("No figure begins so.", hint: "See --help for their names.") }
        let names = ["mpv": "mpv", "vlc": "VLC", "ffplay": "ffplay"]
        peers = []
        for name in arguments.value("peers")?.split(separator: ",") ?? ["mpv", "vlc", "ffplay"] where name != "none" {
            guard let known = names[name.lowercased()] else { throw UsageError("There is no peer “\(name)”.") }
            peers.insert(known)
        }
        runs = try arguments.integer("runs", in: 1...100) ?? 3
        seconds = Double(try arguments.integer("seconds", in: 2...300) ?? 30)
        thresholds = arguments.value("thresholds") ?? "packaging/bench.json"
        json = arguments.value("json") ?? ".build/bench.json"
        isStrict = arguments.has("strict")
    }

    /// Whether any figure of these is wanted.
    func wants(_ ids: String...) -> Bool { figures.contains { ids.contains($0.id) } }
}
