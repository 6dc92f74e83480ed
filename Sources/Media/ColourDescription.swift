import CFFmpeg

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

extension ColourDescription {
    /// What a frame says of itself, and what is usual for its size where it says nothing.
    init(_ frame: AVFrame) {
        let isLarge = frame.height > 576 || frame.width >= 1280
        let format = av_pix_fmt_desc_get(AVPixelFormat(frame.format))
        let isRGB = format.map { $0.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 } ?? false
        let matrix: Matrix =
            switch frame.colorspace {
            case _ where isRGB: .rgb
            case AVCOL_SPC_BT709: .bt709
            case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: .bt601
            case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
            case AVCOL_SPC_FCC: .fcc
            case AVCOL_SPC_SMPTE240M: .smpte240m
            default: isLarge ? .bt709 : .bt601
            }
        let transfer: Transfer =
            switch frame.color_trc {
            case AVCOL_TRC_SMPTE2084: .pq
            case AVCOL_TRC_ARIB_STD_B67: .hlg
            default: .sdr
            }
        let primaries: Primaries =
            switch frame.color_primaries {
            case AVCOL_PRI_BT2020: .bt2020
            case AVCOL_PRI_SMPTE432, AVCOL_PRI_SMPTE431: .p3
            case AVCOL_PRI_BT470BG, AVCOL_PRI_SMPTE170M: .bt601
            case AVCOL_PRI_BT709: .bt709
            default: matrix == .bt2020 ? .bt2020 : matrix == .bt601 ? .bt601 : .bt709
            }
        self.init(
            matrix: matrix, isFullRange: isRGB || frame.color_range == AVCOL_RANGE_JPEG || isJPEG(frame.format),
            transfer: transfer, primaries: primaries)
    }
}

/// Whether a pixel format has the full range in its name.
private func isJPEG(_ format: Int32) -> Bool {
    [
        AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ444P,
    ].contains(AVPixelFormat(format))
}
