public import Casting

extension VolumeRequest {
    /// The change that a word of the command line asks for: `50`, `+5`, `-5` (in hundredths), `mute`, `unmute`; nil where
    /// it asks for none. A percent sign may follow a number.
    public init?(word: String) {
        switch word {
        case "mute": self.init(muted: true)
        case "unmute": self.init(muted: false)
        default:
            let sign = word.first.flatMap { "+-".contains($0) ? $0 : nil }
            var digits = word.dropFirst(sign == nil ? 0 : 1)
            if digits.last == "%" { digits.removeLast() }
            guard digits.first?.isDigit == true, let number = Double(digits), (0...100).contains(number) else {
                return nil
            }
            switch sign {
            case "+": self.init(adjustment: number / 100)
            case "-": self.init(adjustment: -number / 100)
            default: self.init(volume: number / 100)
            }
        }
    }
}
