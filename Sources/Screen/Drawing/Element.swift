/// One thing to draw. A screenful is a list of them, from the back to the front.
package enum Element: Hashable, Sendable {
    /// The ground of a card, over the whole screen.
    case ground(PixelRect)
    /// A box with round corners.
    case box(PixelRect, radius: Int, Color)
    /// A darkness that grows from nothing at the top to `color` at the bottom.
    case shade(PixelRect, Color)
    /// A picture.
    case image(ArtworkImage, PixelRect)
    /// Words.
    case text(TextRun, TextPlace, Color)
    /// A sign.
    case icon(Icon, PixelRect, Color)
}

/// Words and how they are to be set.
package struct TextRun: Hashable, Sendable {
    /// How heavy the letters are.
    enum Weight: Int { case regular = 400, medium = 500, bold = 700 }

    var string: String
    /// The height of a line in pixels.
    var size: Int
    var weight: Weight
    /// The widest it may become in pixels; longer ones are broken into lines, and cut with an ellipsis after the last.
    var maxWidth: Int
    var maxLines: Int
    /// Whether lines are centred on each other.
    var isCentred: Bool
    var isMonospaced: Bool

    init(
        _ string: String, size: Int, weight: Weight = .regular, maxWidth: Int, maxLines: Int = 1,
        isCentred: Bool = false, isMonospaced: Bool = false
    ) {
        self.string = string
        self.size = max(size, 4)
        self.weight = weight
        self.maxWidth = max(maxWidth, 1)
        self.maxLines = max(maxLines, 1)
        self.isCentred = isCentred
        self.isMonospaced = isMonospaced
    }
}

/// Where words stand.
package struct TextPlace: Hashable, Sendable {
    enum Anchor { case left, centre, right }

    /// Where the left end, the middle or the right end is.
    var x: Int
    /// The top of the first line.
    var y: Int
    var anchor: Anchor
}

/// Signs drawn as shapes.
package enum Icon: Hashable, Sendable {
    case play, pause, speaker, speakerQuiet, speakerOff, warning, note

    /// The shape in a square of 100 units, as libass's drawing commands.
    var drawing: String {
        switch self {
        case .play: "m 22 10 l 88 50 22 90"
        case .pause: "m 20 12 l 42 12 42 88 20 88 m 58 12 l 80 12 80 88 58 88"
        case .speaker: Self.horn + Self.wave(from: 58, reach: 12, width: 7) + Self.wave(from: 70, reach: 22, width: 7)
        case .speakerQuiet: Self.horn + Self.wave(from: 58, reach: 12, width: 7)
        case .speakerOff:
            Self.horn + " m 60 40 l 66 34 94 62 88 68 m 88 34 l 94 40 66 68 60 62"
        case .warning:
            // A triangle with an exclamation mark left out of it: inner shapes run the other way round.
            "m 50 8 l 97 90 3 90 m 45 36 l 47 64 53 64 55 36 m 45 71 l 45 81 55 81 55 71"
        case .note:
            "m 38 14 l 86 4 86 66 b 86 86 56 88 56 72 b 56 60 70 56 78 60 l 78 28 46 34 46 78 "
                + "b 46 98 16 100 16 84 b 16 72 30 68 38 72"
        }
    }

    private static let horn = "m 6 38 l 24 38 46 18 46 82 24 62 6 62"

    /// A bow of sound right of the horn, as a crescent.
    private static func wave(from x: Int, reach: Int, width: Int) -> String {
        let top = 50 - reach - 4
        let bottom = 50 + reach + 4
        let bulge = x + reach
        return " m \(x) \(top) b \(bulge) \(top + reach) \(bulge) \(bottom - reach) \(x) \(bottom)"
            + " l \(x + width) \(bottom + 4) b \(bulge + width + 4) \(bottom - reach + 4)"
            + " \(bulge + width + 4) \(top + reach - 4) \(x + width) \(top - 4)"
    }
}
