extension CommandSyntax {
    /// The widest line of help.
    private static let width = 80
    /// The column where explanations begin at most; longer names put theirs on the next line.
    private static let widestName = 24

    /// What `--help` prints for the program itself, without a newline at the end.
    public var help: String { help(path: [self]) }

    /// What `--help` prints for a command below the program; nil where there is no such command.
    public func help(for command: [String]) -> String? {
        var path = [self]
        for name in command {
            guard let next = path[path.count - 1].commands.first(where: { $0.name == name }) else { return nil }
            path.append(next)
        }
        return help(path: path)
    }

    private func help(path: [CommandSyntax]) -> String {
        let command = path[path.count - 1]
        let standard =
            [("--help, -h", "Show this.")] + (path[0].version == nil ? [] : [("--version", "Show the version.")])
        let inherited = path.dropLast().reversed().flatMap(\.options)
        let sections = [
            wrapped(command.summary + ".", indent: 0),
            command.usage(path: path),
            paragraphs(command.discussion),
            table("Commands:", command.commands.map { ($0.name, $0.summary + ".") }),
            table("Arguments:", command.arguments.map { ($0.name, $0.help) }),
            table("Options:", (command.options + inherited).map { ($0.heading, $0.help) } + standard),
            command.commands.isEmpty
                ? [] : ["“\(path.map(\.name).joined(separator: " ")) COMMAND --help” tells more about a command."],
        ]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private func usage(path: [CommandSyntax]) -> [String] {
        let command = path.map(\.name).joined(separator: " ")
        var lines: [String] = []
        if commands.isEmpty || runsAlone || !arguments.isEmpty {
            let words = arguments.map(\.usage) + ["[options]"]
            lines.append(([command] + words).joined(separator: " "))
        }
        if !commands.isEmpty { lines.append("\(command) COMMAND [options]") }
        return lines.enumerated().map { ($0.offset == 0 ? "Usage: " : "       ") + $0.element }
    }

    private func paragraphs(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { $0.hasPrefix(" ") || $0.isEmpty ? [String($0)] : wrapped(String($0), indent: 0) }
    }

    private func table(_ title: String, _ rows: [(name: String, help: String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let widths = rows.map(\.name.count).filter { $0 <= Self.widestName }
        let column = 2 + (widths.max() ?? Self.widestName) + 2
        var lines = [title]
        for row in rows {
            let text = wrapped(row.help, indent: column)
            let name = "  " + row.name
            if name.count + 2 > column || text.isEmpty {
                lines += [name] + text
            } else {
                let first = name + String(repeating: " ", count: column - name.count)
                lines += [first + text[0].dropFirst(column)] + text.dropFirst()
            }
        }
        return lines
    }

    private func wrapped(_ text: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if line.isEmpty {
                line = margin + word
            } else if line.count + 1 + word.count <= Self.width {
                line += " " + word
            } else {
                lines.append(line)
                line = margin + word
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}

extension Option {
    fileprivate var heading: String {
        let letter = letter.map { ", -\($0)" } ?? ""
        let value = value.map { " " + $0 } ?? ""
        return "--\(name)\(letter)\(value)"
    }
}

extension Argument {
    fileprivate var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .some: "\(name)..."
        case .any: "[\(name)...]"
        }
    }
}
