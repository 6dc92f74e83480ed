/// What a program or one of its commands understands: its options, arguments and commands below it.
///
/// A value that says everything about a command line; `parse` reads one by it, `help` describes it.
public struct CommandSyntax: Sendable {
    /// The word that names it.
    public var name: String
    /// One line for the list of commands, without a full stop.
    public var summary: String
    /// More about it for its own help: paragraphs, wrapped when shown. Lines that begin with spaces stay as they are.
    public var discussion: String
    /// The options it knows. Commands below it know them as well.
    public var options: [Option]
    /// The arguments it takes, in order.
    public var arguments: [Argument]
    /// The commands below it.
    public var commands: [CommandSyntax]
    /// Whether it does something by itself though there are commands below it.
    public var runsAlone: Bool
    /// What `--version` prints after the name; only the program itself has one.
    public var version: String?

    /// A program or command.
    public init(
        _ name: String, summary: String, discussion: String = "", options: [Option] = [], arguments: [Argument] = [],
        commands: [CommandSyntax] = [], runsAlone: Bool = false, version: String? = nil
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.options = options
        self.arguments = arguments
        self.commands = commands
        self.runsAlone = runsAlone
        self.version = version
    }
}

/// An option: `--name`, or `--name VALUE`.
public struct Option: Sendable, Hashable {
    /// The name without its dashes.
    public var name: String
    /// A letter that stands for it, as in `-o`.
    public var letter: Character?
    /// What the help calls its value; nil for a flag, which has none.
    public var value: String?
    /// Whether it may be given several times. Otherwise a second time is an error.
    public var repeats: Bool
    /// What it is for.
    public var help: String

    /// An option without a value.
    public static func flag(_ name: String, letter: Character? = nil, help: String) -> Option {
        Option(name: name, letter: letter, value: nil, repeats: false, help: help)
    }

    /// An option with a value.
    public static func value(
        _ name: String, _ value: String, letter: Character? = nil, repeats: Bool = false, help: String
    ) -> Option {
        Option(name: name, letter: letter, value: value, repeats: repeats, help: help)
    }
}

/// An argument known by its place.
public struct Argument: Sendable, Hashable {
    /// How many words stand at its place.
    public enum Count: Sendable {
        /// Exactly one.
        case one
        /// One or none.
        case optional
        /// One or more; only as the last argument.
        case some
        /// Any number; only as the last argument.
        case any
    }

    /// What the help calls it.
    public var name: String
    /// How many words it takes.
    public var count: Count
    /// What it is.
    public var help: String

    /// An argument; one word unless `count` says otherwise.
    public init(_ name: String, _ count: Count = .one, help: String) {
        self.name = name
        self.count = count
        self.help = help
    }
}

/// What a command line asked for.
public enum ParseOutcome: Sendable, Hashable {
    /// Do what the command does.
    case run(ParsedArguments)
    /// Print this text (help or version) to standard output and end well.
    case show(String)
}

/// A command line, taken apart.
public struct ParsedArguments: Sendable, Hashable {
    /// The commands' names from below the program, for example `["queue", "add"]`; empty for the program itself.
    public var command: [String]
    /// The values of the options that were given, in order; a flag's are empty strings.
    public var options: [String: [String]]
    /// The arguments, in order.
    public var positionals: [String]

    /// A command line's parts.
    public init(command: [String] = [], options: [String: [String]] = [:], positionals: [String] = []) {
        self.command = command
        self.options = options
        self.positionals = positionals
    }

    /// Whether the flag or option was given.
    public func has(_ name: String) -> Bool { options[name] != nil }

    /// The value of an option; nil where it was not given.
    public func value(_ name: String) -> String? { options[name]?.last }

    /// All values of an option that may be given several times.
    public func values(_ name: String) -> [String] { options[name] ?? [] }

    /// The argument at a place; nil where there is none.
    public func positional(_ index: Int) -> String? {
        positionals.indices.contains(index) ? positionals[index] : nil
    }

    /// The value of an option as a whole number.
    ///
    /// - Throws: `UsageError` where it is no number, or outside `range`.
    public func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "--\(name) wants a whole number from \(range.lowerBound) to \(range.upperBound), not “\(text)”.")
        }
        return number
    }

    /// The value of an option as a number.
    ///
    /// - Throws: `UsageError` where it is no number, or outside `range`.
    public func number(_ name: String, in range: ClosedRange<Double>) throws(UsageError) -> Double? {
        guard let text = value(name) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw UsageError("--\(name) wants a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”.")
        }
        return number
    }

    /// The value of an option as one of a few words.
    ///
    /// - Throws: `UsageError` where it is another word.
    public func choice<Choice>(_ name: String) throws(UsageError) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let text = value(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let words = Choice.allCases.map(\.rawValue)
        let guess = closest(to: text, among: words).map { " Did you mean “\($0)”?" } ?? ""
        throw UsageError("--\(name) wants one of \(words.joined(separator: ", ")), not “\(text)”.\(guess)")
    }
}

/// A command line that makes no sense. A value, so that the program decides where to print it.
public struct UsageError: Error, Hashable, Sendable {
    /// What is wrong, in a sentence.
    public var message: String
    /// How to see what is right, in a sentence.
    public var hint: String?

    /// The exit code that says so.
    public static let exitCode: Int32 = 2

    /// An error with its sentences.
    public init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}

extension UsageError: CustomStringConvertible {
    /// The sentence, and the hint on a line below it.
    public var description: String {
        guard let hint else { return message }
        return message + "\n" + hint
    }
}
