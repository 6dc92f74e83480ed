/// The first place where a text is not JSON5 (json5.org), for people who edit one: Foundation says only that it is not.
struct JSON5Fault: Error, Hashable {
    /// Counted from 1.
    var line: Int
    /// Counted from 1, in characters.
    var column: Int
    /// What is wrong there, going on from the place.
    var reason: String

    /// The first fault of a text; nil where none is found. Numbers and escapes are looked at only roughly.
    static func first(in text: String) -> JSON5Fault? {
        var scanner = Scanner(Array(text))
        do throws(Complaint) {
            try scanner.document()
            return nil
        } catch {
            let before = scanner.text.prefix(scanner.place)
            let line = before.count { $0.isNewline } + 1
            let column = before.reversed().prefix { !$0.isNewline }.count + 1
            return JSON5Fault(line: line, column: column, reason: error.reason)
        }
    }
}

private struct Complaint: Error {
    var reason: String
}

/// Walks over a text by the grammar, keeping nothing.
private struct Scanner {
    let text: [Character]
    var place = 0

    init(_ text: [Character]) { self.text = text }

    private var next: Character? { place < text.count ? text[place] : nil }

    mutating func document() throws(Complaint) {
        try value(depth: 0)
        try space()
        if next != nil { throw Complaint(reason: "there is something after the end") }
    }

    private mutating func value(depth: Int) throws(Complaint) {
        guard depth < 256 else { throw Complaint(reason: "it is nested too deep") }
        try space()
        switch next {
        case "{": try list(to: "}", depth: depth, keyed: true)
        case "[": try list(to: "]", depth: depth, keyed: false)
        case "\"", "'": try string()
        case let character? where Self.isWordPart(character):
            let start = place
            let word = self.word()
            let isNumber = word.first.map { $0.isNumber || "+-.".contains($0) } ?? false
            guard isNumber || ["true", "false", "null", "NaN", "Infinity"].contains(word) else {
                place = start
                throw Complaint(reason: "a text stands without quotation marks")
            }
        default: throw Complaint(reason: "a value is missing")
        }
    }

    private mutating func list(to end: Character, depth: Int, keyed: Bool) throws(Complaint) {
        place += 1
        while true {
            try space()
            if next == end {
                place += 1
                return
            }
            if keyed { try key() }
            try value(depth: depth + 1)
            try space()
            if next == "," {
                place += 1
            } else if next != end {
                throw Complaint(reason: next == nil ? "“\(end)” is missing" : "a comma or “\(end)” is missing")
            }
        }
    }

    private mutating func key() throws(Complaint) {
        switch next {
        case "\"", "'": try string()
        case let character? where Self.isWordPart(character) && !character.isNumber: _ = word()
        default: throw Complaint(reason: next == nil ? "“}” is missing" : "a key is missing")
        }
        try space()
        guard next == ":" else { throw Complaint(reason: "a colon is missing after a key") }
        place += 1
    }

    private mutating func string() throws(Complaint) {
        let (start, mark) = (place, next)
        place += 1
        while let character = next, character != mark {
            if character.isNewline { break }
            place += character == "\\" ? 2 : 1
        }
        guard next == mark else {
            place = start
            throw Complaint(reason: "a text begins that does not end")
        }
        place += 1
    }

    private mutating func word() -> String {
        let start = place
        while let character = next, Self.isWordPart(character) { place += 1 }
        return String(text[start..<place])
    }

    private static func isWordPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_$+-.".contains(character)
    }

    /// Passes over white space and comments.
    private mutating func space() throws(Complaint) {
        while let character = next {
            if character.isWhitespace || character == "\u{feff}" {
                place += 1
            } else if character == "/", place + 1 < text.count, text[place + 1] == "/" {
                while let character = next, !character.isNewline { place += 1 }
            } else if character == "/", place + 1 < text.count, text[place + 1] == "*" {
                let start = place
                place += 2
                while place + 1 < text.count, !(text[place] == "*" && text[place + 1] == "/") { place += 1 }
                guard place + 1 < text.count else {
                    place = start
                    throw Complaint(reason: "a comment begins that does not end")
                }
                place += 2
            } else {
                return
            }
        }
    }
}
