extension CommandSyntax {
    /// Reads a command line, the program's own name left out.
    ///
    /// Understands `--name value`, `--name=value`, `-n value`, options anywhere, and `--` before words that are no
    /// options. A word like `-30` or `-1:30` is an argument, not an option. `--help` and `-h` are known everywhere,
    /// `--version` too where the program has one.
    ///
    /// - Throws: `UsageError`, which says what is wrong and what may have been meant.
    public func parse(_ words: [String]) throws(UsageError) -> ParseOutcome {
        var parser = Parser(program: self)
        return try parser.parse(words)
    }
}

/// The state of reading one command line.
private struct Parser {
    let program: CommandSyntax
    /// The program, and the commands chosen so far.
    var path: [CommandSyntax]
    var result = ParsedArguments()
    var wantsHelp = false
    var wantsVersion = false

    init(program: CommandSyntax) {
        self.program = program
        path = [program]
    }

    var current: CommandSyntax { path[path.count - 1] }
    var knownOptions: [Option] { path.reversed().flatMap(\.options) }

    mutating func parse(_ words: [String]) throws(UsageError) -> ParseOutcome {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                result.positionals += rest
                break
            }
            if word.isOption {
                try takeOption(word, &rest)
            } else if !takeCommand(word) {
                try refuseUnknownCommand(word)
                result.positionals.append(word)
            }
        }
        if wantsHelp { return .show(program.help(for: result.command) ?? program.help) }
        if wantsVersion { return .show("\(program.name) \(program.version ?? "")") }
        try checkCounts()
        return .run(result)
    }

    private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let written = String(parts[0])
        let attached = parts.count > 1 ? String(parts[1]) : nil
        guard let option = knownOptions.first(where: { $0.isWritten(written) }) else {
            if written == "--help" || written == "-h" { return wantsHelp = true }
            if written == "--version", program.version != nil { return wantsVersion = true }
            throw unknownOption(written)
        }
        if result.options[option.name] != nil, !option.repeats {
            throw error("--\(option.name) was given twice.")
        }
        guard let valueName = option.value else {
            if let attached { throw error("--\(option.name) takes no value, but “\(attached)” was given.") }
            result.options[option.name] = [""]
            return
        }
        if let attached {
            result.options[option.name, default: []].append(attached)
        } else if let next = rest.first, next == "-" || !next.isOption {
            rest.removeFirst()
            result.options[option.name, default: []].append(next)
        } else {
            throw error("--\(option.name) wants a value: --\(option.name) \(valueName).")
        }
    }

    private mutating func takeCommand(_ word: String) -> Bool {
        guard result.positionals.isEmpty, let command = current.commands.first(where: { $0.name == word }) else {
            return false
        }
        path.append(command)
        result.command.append(word)
        return true
    }

    private func refuseUnknownCommand(_ word: String) throws(UsageError) {
        guard !current.commands.isEmpty, current.arguments.isEmpty, !wantsHelp else { return }
        let guess = closest(to: word, among: current.commands.map(\.name))
        throw error("There is no command “\(word)”." + (guess.map { " Did you mean “\($0)”?" } ?? ""))
    }

    private func unknownOption(_ written: String) -> UsageError {
        var names = knownOptions.map { "--" + $0.name } + ["--help"]
        if program.version != nil { names.append("--version") }
        let guess = written.count > 2 ? closest(to: written, among: names) : nil
        return error("There is no option \(written) here." + (guess.map { " Did you mean \($0)?" } ?? ""))
    }

    private func checkCounts() throws(UsageError) {
        let given = result.positionals.count
        let arguments = current.arguments
        if !current.commands.isEmpty, !current.runsAlone, arguments.isEmpty {
            throw error("A command is missing: one of \(current.commands.map(\.name).joined(separator: ", ")).")
        }
        let wanted = arguments.filter { $0.count == .one || $0.count == .some }
        if given < wanted.count { throw error("\(wanted[given].name) is missing.") }
        if let last = arguments.last, last.count == .some || last.count == .any { return }
        if given > arguments.count {
            throw error("“\(result.positionals[arguments.count])” is one word too many.")
        }
    }

    private func error(_ message: String) -> UsageError {
        let command = ([program.name] + result.command).joined(separator: " ")
        return UsageError(message, hint: "See “\(command) --help”.")
    }
}

extension Option {
    fileprivate func isWritten(_ word: String) -> Bool {
        if word == "--" + name { return true }
        guard let letter else { return false }
        return word == "-\(letter)"
    }
}

extension String {
    /// Whether the word is an option rather than an argument: it begins with a dash, and is neither the dash alone nor
    /// a negative number or time.
    fileprivate var isOption: Bool {
        guard hasPrefix("-"), count > 1 else { return false }
        guard let next = dropFirst().first else { return false }
        return !(next.isASCII && (next.isNumber || next == "."))
    }
}
