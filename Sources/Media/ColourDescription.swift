/// What the numbers of a frame's pixels mean (ITU-T H.273).
public struct ColourDescription: Hashable, Sendable {
    /// How red, green and blue are made of luma and chroma.
    public enum Matrix: Hashable, Sendable {
        /// The pixels are red, green and blue already.
        case rgb
        /// ITU-R BT.601.
        case bt601
        /// ITU-R BT.709.
        case bt709
        /// ITU-R BT.2020, non-constant luminance.
        case bt2020
        /// FCC 47 CFR 73.682.
        case fcc
        /// SMPTE 240M.
        case smpte240m
    }

    /// How light follows from the numbers.
    public enum Transfer: Hashable, Sendable {
        /// The usual gamma of SDR television.
        case sdr
        /// SMPTE ST 2084, HDR10.
        case pq
        /// ARIB STD-B67, HLG.
        case hlg
    }

    /// Which red, green and blue.
    public enum Primaries: Hashable, Sendable {
        /// ITU-R BT.709, also sRGB.
        case bt709
        /// ITU-R BT.601, 525 or 625 lines.
        case bt601
        /// ITU-R BT.2020.
        case bt2020
        /// SMPTE EG 432, Display P3.
        case p3
    }

    /// How red, green and blue are made of luma and chroma.
    public var matrix: Matrix
    /// Whether numbers use their whole range rather than the studio's (16 to 235).
    public var isFullRange: Bool
    /// How light follows from the numbers.
    public var transfer: Transfer
    /// Which red, green and blue.
    public var primaries: Primaries

    /// A description.
    public init(matrix: Matrix, isFullRange: Bool = false, transfer: Transfer = .sdr, primaries: Primaries = .bt709) {
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.transfer = transfer
        self.primaries = primaries
    }
}
