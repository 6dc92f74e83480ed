/// What one look at the machine came to.
struct Finding {
    enum Verdict: String {
        /// As it should be.
        case good = "✓"
        /// Keeps the receiver from doing its work.
        case bad = "✗"
        /// Worth knowing.
        case note = "·"
    }

    var verdict: Verdict
    /// What was looked at, in a word or two.
    var subject: String
    /// What was found.
    var words: String
    /// What to do about it; nil where nothing is to be done.
    var fix: String?

    static func good(_ subject: String, _ words: String) -> Finding {
        Finding(verdict: .good, subject: subject, words: words)
    }

    static func bad(_ subject: String, _ words: String, fix: String?) -> Finding {
        Finding(verdict: .bad, subject: subject, words: words, fix: fix)
    }

    static func note(_ subject: String, _ words: String) -> Finding {
        Finding(verdict: .note, subject: subject, words: words)
    }

    /// One line, and the fix on a line below it.
    var text: String {
        let column = 14
        let margin = String(repeating: " ", count: max(1, column - subject.count))
        let line = "\(verdict.rawValue) \(subject)\(margin)\(words)"
        guard let fix else { return line }
        return line + "\n" + String(repeating: " ", count: column + 2) + "→ " + fix
    }
}
