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
    /// The brightest light of the film in cd/m², by its mastering data; nil where it says nothing.
    public var peakLuminance: Double?

    /// A description.
    public init(
        matrix: Matrix, isFullRange: Bool = false, transfer: Transfer = .sdr, primaries: Primaries = .bt709,
        peakLuminance: Double? = nil
    ) {
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.transfer = transfer
        self.primaries = primaries
        self.peakLuminance = peakLuminance
    }
}

extension ColourDescription {
    /// What a frame says of itself, else its container, and what is usual for its size where neither says anything.
    init(_ frame: AVFrame, container: AVCodecParameters? = nil, containerPeak: Double? = nil) {
        let space = frame.colorspace == AVCOL_SPC_UNSPECIFIED ? container?.color_space : frame.colorspace
        let trc = frame.color_trc == AVCOL_TRC_UNSPECIFIED ? container?.color_trc : frame.color_trc
        let gamut = frame.color_primaries == AVCOL_PRI_UNSPECIFIED ? container?.color_primaries : frame.color_primaries
        let range = frame.color_range == AVCOL_RANGE_UNSPECIFIED ? container?.color_range : frame.color_range
        let isLarge = frame.height > 576 || frame.width >= 1280
        let format = av_pix_fmt_desc_get(AVPixelFormat(frame.format))
        let isRGB = format.map { $0.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 } ?? false
        let matrix: Matrix =
            switch space {
            case _ where isRGB: .rgb
            case AVCOL_SPC_BT709: .bt709
            case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: .bt601
            case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
            case AVCOL_SPC_FCC: .fcc
            case AVCOL_SPC_SMPTE240M: .smpte240m
            default: isLarge ? .bt709 : .bt601
            }
        let transfer: Transfer =
            switch trc {
            case AVCOL_TRC_SMPTE2084: .pq
            case AVCOL_TRC_ARIB_STD_B67: .hlg
            default: .sdr
            }
        let primaries: Primaries =
            switch gamut {
            case AVCOL_PRI_BT2020: .bt2020
            case AVCOL_PRI_SMPTE432, AVCOL_PRI_SMPTE431: .p3
            case AVCOL_PRI_BT470BG, AVCOL_PRI_SMPTE170M: .bt601
            case AVCOL_PRI_BT709: .bt709
            default: transfer != .sdr ? .bt2020 : matrix == .bt601 ? .bt601 : .bt709
            }
        self.init(
            matrix: matrix, isFullRange: isRGB || range == AVCOL_RANGE_JPEG || isJPEG(frame.format),
            transfer: transfer, primaries: primaries,
            peakLuminance: transfer == .pq ? Self.peak(frame) ?? containerPeak : nil)
    }
}

extension ColourDescription {
    /// The brightest light that a frame's side data tells of, in cd/m².
    private static func peak(_ frame: AVFrame) -> Double? {
        var light: UnsafeMutablePointer<UInt8>?
        var mastering: UnsafeMutablePointer<UInt8>?
        for index in 0..<Int(frame.nb_side_data) {
            guard let data = frame.side_data[index] else { continue }
            if data.pointee.type == AV_FRAME_DATA_CONTENT_LIGHT_LEVEL { light = data.pointee.data }
            if data.pointee.type == AV_FRAME_DATA_MASTERING_DISPLAY_METADATA { mastering = data.pointee.data }
        }
        return peak(light: light, mastering: mastering)
    }

    /// The brightest light by what the content holds, else by what it was mastered on; nil where neither is believable.
    static func peak(light: UnsafeMutablePointer<UInt8>?, mastering: UnsafeMutablePointer<UInt8>?) -> Double? {
        let content = light.map {
            Double(UnsafeRawPointer($0).load(as: AVContentLightMetadata.self).MaxCLL)
        }
        let display = mastering.flatMap { data -> Double? in
            let metadata = UnsafeRawPointer(data).load(as: AVMasteringDisplayMetadata.self)
            guard metadata.has_luminance != 0, metadata.max_luminance.den > 0 else { return nil }
            return av_q2d(metadata.max_luminance)
        }
        return [content, display].compactMap { $0 }.first { (100...10_000).contains($0) }
    }
}

/// Whether a pixel format has the full range in its name.
private func isJPEG(_ format: Int32) -> Bool {
    [
        AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ444P,
    ].contains(AVPixelFormat(format))
}
