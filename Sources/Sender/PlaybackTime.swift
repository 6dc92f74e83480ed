import Casting

/// Item time as people write it: `90`, `1:30`, `1:02:03.5`.
public enum PlaybackTime {
    /// The seconds that a text says; nil where it says no time.
    ///
    /// Seconds, or minutes and seconds, or hours, minutes and seconds. The first number may be of any size, those after
    /// it are below 60; the last may have decimals.
    public static func parse(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var total = 0.0
        for (index, part) in parts.enumerated() {
            guard let value = number(part, decimals: index == parts.count - 1) else { return nil }
            if index > 0, value >= 60 { return nil }
            total = total * 60 + value
        }
        return total
    }

    /// Seconds as `0:07`, `12:34` or `1:02:03`, cut to whole seconds; negative ones as 0.
    public static func text(_ seconds: Double) -> String {
        let whole = seconds.isFinite ? Int(max(0, min(seconds, 359_999_999))) : 0
        return timeText(whole)
    }

    /// Seconds as `1:02:03.5`: exact to the millisecond, without needless zeros. Reads back by `parse`.
    public static func exactText(_ seconds: Double) -> String {
        guard seconds.isFinite else { return timeText(0) }
        let milliseconds = Int((max(0, min(seconds, 359_999_999)) * 1000).rounded())
        guard milliseconds % 1000 != 0 else { return timeText(milliseconds / 1000) }
        var decimals = padded(milliseconds % 1000, to: 3)
        while decimals.last == "0" { decimals.removeLast() }
        return timeText(milliseconds / 1000) + "." + decimals
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    /// Digits, with decimals where they are allowed; none of the other ways to write a `Double`.
    private static func number(_ text: Substring, decimals: Bool) -> Double? {
        guard text.first?.isDigit == true || (decimals && text.first == "."), text.last?.isDigit == true,
            text.allSatisfy({ $0.isDigit || (decimals && $0 == ".") })
        else { return nil }
        return Double(text)
    }
}

/// Where `seek` goes: to a time, or on or back by one.
public enum SeekTarget: Hashable, Sendable {
    /// To this many seconds of item time.
    case position(Double)
    /// On by so many seconds, or back when negative.
    case offset(Double)

    /// `90`, `1:30`: a position; `+10`, `-1:30`: an offset. Nil where it is neither.
    public init?(_ text: String) {
        let sign = text.first
        guard let time = PlaybackTime.parse(sign == "+" || sign == "-" ? String(text.dropFirst()) : text) else {
            return nil
        }
        switch sign {
        case "+": self = .offset(time)
        case "-": self = .offset(-time)
        default: self = .position(time)
        }
    }
}

extension Character {
    /// Whether it is one of 0 to 9.
    var isDigit: Bool { isASCII && isNumber }
}
