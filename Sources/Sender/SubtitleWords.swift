public import Casting

/// A change of how subtitles show, as people type it.
extension SubtitleChange {
    /// What one could not make sense of.
    public struct Nonsense: Error, Hashable {
        /// What was typed.
        public var word: String
        /// What may be.
        public var hint: String
    }

    /// Reads words; what is nil stays as it is.
    ///
    /// - Parameters:
    ///   - delay: seconds: `0.5`; `+0.5` and `-0.5` go on and back.
    ///   - size: hundredths of the usual size.
    ///   - color: `#RRGGBB`, with or without the sign, or a name.
    ///   - position: hundredths of the screen's height above the usual place, or `bottom`.
    public init(delay: String?, size: String?, color: String?, position: String?) throws(Nonsense) {
        self.init()
        if let delay {
            guard let seconds = Double(delay), SubtitleSettings.delays.contains(seconds) else {
                throw Nonsense(word: delay, hint: "A delay is in seconds: 0.5, or +0.5 and -0.5 to change it.")
            }
            if delay.hasPrefix("+") || delay.hasPrefix("-") { delayAdjustment = seconds } else { self.delay = seconds }
        }
        if let size {
            let digits = size.hasSuffix("%") ? String(size.dropLast()) : size
            guard let percent = Double(digits), SubtitleSettings.sizes.contains(percent / 100) else {
                throw Nonsense(word: size, hint: "A size is from 25 to 400; 100 is the usual one.")
            }
            self.size = percent / 100
        }
        if let color {
            let code = Self.colors[color.lowercased()] ?? (color.hasPrefix("#") ? color : "#" + color)
            guard SubtitleSettings.number(ofColor: code) != nil else {
                let names = Self.colors.keys.sorted().joined(separator: ", ")
                throw Nonsense(word: color, hint: "A colour is \(names), or a code such as FFD24A.")
            }
            self.color = code.uppercased()
        }
        if let position {
            guard let percent = position == "bottom" ? 0 : Double(position),
                SubtitleSettings.positions.contains(percent)
            else { throw Nonsense(word: position, hint: "A position is from 0 (bottom) to 100 (top).") }
            self.position = percent
        }
    }

    private static let colors = [
        "white": "#FFFFFF", "yellow": "#FFE14A", "green": "#7CFC6B", "cyan": "#6BE8FC", "grey": "#B8B8B8",
    ]
}
