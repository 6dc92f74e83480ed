/// How many columns of a terminal a text takes: the characters of East Asia and pictures take two (Unicode Standard
/// Annex #11).
public func columns(of text: String) -> Int {
    text.reduce(0) { sum, character in
        guard let scalar = character.unicodeScalars.first?.value else { return sum }
        return sum + (wide.contains { $0.contains(scalar) } ? 2 : 1)
    }
}

private let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
    0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1faff, 0x20000...0x3fffd,
]
