/// A colour with how much it covers.
package struct Color: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    /// 0 covers nothing, 1 everything.
    var alpha: Double

    /// A colour written as `0xRRGGBB`.
    init(_ value: UInt32, alpha: Double = 1) {
        red = UInt8(value >> 16 & 0xFF)
        green = UInt8(value >> 8 & 0xFF)
        blue = UInt8(value & 0xFF)
        self.alpha = alpha
    }

    /// The same colour covering less.
    func opacity(_ factor: Double) -> Color {
        var color = self
        color.alpha *= factor
        return color
    }

    /// As a pixel 0xAARRGGBB, its parts multiplied with its coverage.
    var premultiplied: UInt32 {
        func part(_ value: UInt8) -> UInt32 { UInt32((Double(value) * alpha).rounded()) }
        return UInt32((255 * alpha).rounded()) << 24 | part(red) << 16 | part(green) << 8 | part(blue)
    }
}

/// The colours of everything the screen draws.
enum Palette {
    static let text = Color(0xF4F6FA)
    static let secondary = Color(0xA9B2C3)
    static let faint = Color(0x6F7A8F)
    static let accent = Color(0x5AC8B8)
    static let warning = Color(0xFFB45C)
    static let live = Color(0xE5484D)
    static let track = Color(0xFFFFFF, alpha: 0.22)
    static let loaded = Color(0xFFFFFF, alpha: 0.26)
    static let panel = Color(0x0B0F16, alpha: 0.82)
    static let chip = Color(0xFFFFFF, alpha: 0.07)
    static let shade = Color(0x05070B)
    /// The ground of cards, from its top to its bottom, and the light that falls on it.
    static let groundTop = Color(0x141A26)
    static let groundBottom = Color(0x080A10)
    static let glow = Color(0x1F4A5C)
}
