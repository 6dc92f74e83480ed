public import Casting

/// One line about playback, as wide as the terminal allows.
public enum ProgressLine {
    private static let bars = (least: 10, most: 40)

    /// The line, at most `width` columns, without a newline. Less important parts go first where it is narrow: the bar,
    /// then the buffer, then the notes.
    ///
    /// - Parameter ascii: no characters beyond ASCII, for terminals that cannot show them.
    public static func text(_ view: ProgressView, width: Int = 80, ascii: Bool = false) -> String {
        let word = view.word + String(repeating: " ", count: max(0, 9 - view.word.count))
        let essential = "\(word)  \(time(view))"
        let notes = view.notes.map { "  " + (ascii ? $0.replacing("×", with: "x") : $0) }.joined()
        let buffer = view.buffered.map { "  \(Int($0)) s ahead" } ?? ""
        if let duration = view.duration, duration > 0, !view.isLive {
            let room = width - essential.count - buffer.count - notes.count - 2
            if room >= bars.least {
                let bar = bar(view, duration: duration, columns: min(room, bars.most), ascii: ascii)
                return essential + "  " + bar + buffer + notes
            }
        }
        let choices = [essential + buffer + notes, essential + notes, essential]
        return choices.first { $0.count <= width } ?? String(essential.prefix(max(0, width)))
    }

    /// The line where nobody watches it: no bar.
    public static func plain(_ view: ProgressView) -> String {
        let buffer = view.buffered.map { "  \(Int($0)) s ahead" } ?? ""
        return "\(view.word)  \(time(view))\(buffer)\(view.notes.map { "  " + $0 }.joined())"
    }

    private static func time(_ view: ProgressView) -> String {
        let position = PlaybackTime.text(view.position)
        if view.isLive { return position + " live" }
        return view.duration.map { "\(position) / \(PlaybackTime.text($0))" } ?? position
    }

    private static func bar(_ view: ProgressView, duration: Double, columns: Int, ascii: Bool) -> String {
        let column = { (time: Double) in Int((min(max(0, time / duration), 1) * Double(columns)).rounded(.down)) }
        let played = column(view.position)
        let loaded = max(played, column(view.position + (view.buffered ?? 0)))
        let marks = ascii ? ("=", "-", ".") : ("━", "─", "┈")
        return String(repeating: marks.0, count: played) + String(repeating: marks.1, count: loaded - played)
            + String(repeating: marks.2, count: columns - loaded)
    }
}

/// Decides when a line is due where lines cannot be redrawn: on each change of what playback does, else every 10 s.
public struct ProgressPace: Sendable {
    /// Seconds between lines while nothing changes.
    static let interval = 10.0

    private var last: (key: String, at: HostTime)?

    /// No line has been printed.
    public init() {}

    /// Whether a line is due now; if so it counts as printed.
    public mutating func isDue(_ view: ProgressView, item: String?, at now: HostTime) -> Bool {
        let key = ([view.word, item ?? ""] + view.notes).joined(separator: "\n")
        if let last, last.key == key {
            guard view.word == "playing", now.seconds(since: last.at) >= Self.interval else { return false }
        }
        last = (key, now)
        return true
    }
}

/// A number without needless zeros, at most two decimals.
public func decimal(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
    var text = "\(abs(hundredths) / 100).\(abs(hundredths) % 100 < 10 ? "0" : "")\(abs(hundredths) % 100)"
    while text.last == "0" { text.removeLast() }
    return (hundredths < 0 ? "-" : "") + text
}
