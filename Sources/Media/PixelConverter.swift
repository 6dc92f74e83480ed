import CFFmpeg
import Casting

/// libswscale set up for one kind of frame and one size.
final class PixelConverter {
    /// What a converter is set up for.
    struct Key: Equatable {
        var sourceWidth: Int32
        var sourceHeight: Int32
        var sourceFormat: Int32
        var matrix: ColourDescription.Matrix
        var isFullRange: Bool
        var width: Int32
        var height: Int32
        /// What comes out.
        var target = Target.pixels
    }

    /// What comes out.
    enum Target {
        /// Blue, green, red and a byte of nothing.
        case pixels
        /// Blue, green, red and alpha.
        case alphaPixels
        /// Planes of green, blue and red, for a tone map.
        case planes

        fileprivate var format: AVPixelFormat {
            switch self {
            case .pixels: AV_PIX_FMT_BGR0
            case .alphaPixels: AV_PIX_FMT_BGRA
            case .planes: AV_PIX_FMT_GBRP12LE
            }
        }
    }

    let key: Key
    private let context: CObject<OpaquePointer>

    init(_ key: Key, threads: Int) throws(CastError) {
        self.key = key
        guard sws_isSupportedInput(AVPixelFormat(key.sourceFormat)) > 0 else { throw .unknownPixels }
        context = try allocated(CObject(sws_alloc_context()) { sws_freeContext($0) })
        let object = UnsafeMutableRawPointer(context.pointer)
        let options: [(String, Int64)] = [
            ("srcw", Int64(key.sourceWidth)), ("srch", Int64(key.sourceHeight)),
            ("src_format", Int64(key.sourceFormat)), ("src_range", key.isFullRange ? 1 : 0),
            ("dstw", Int64(key.width)), ("dsth", Int64(key.height)), ("dst_format", Int64(key.target.format.rawValue)),
            ("dst_range", 1), ("sws_flags", Int64(SWS_BILINEAR)), ("threads", Int64(threads)),
        ]
        for (name, value) in options { try check(av_opt_set_int(object, name, value, 0), doing: "drawing") }
        try check(sws_init_context(context.pointer, nil, nil), doing: "drawing")
        let coefficients = sws_getCoefficients(key.matrix.swscale)
        // Fails where both sides are RGB and nothing is to be set.
        _ = sws_setColorspaceDetails(
            context.pointer, coefficients, key.isFullRange ? 1 : 0, coefficients, 1, 0, 1 << 16, 1 << 16)
    }

    /// Converts a frame into memory that belongs to someone else.
    func convert(
        _ frame: UnsafeMutablePointer<AVFrame>, into pixels: UnsafeMutableRawPointer, stride: Int
    ) throws(CastError) {
        let target = try allocated(makeFrame())
        let byteCount = stride * (Int(key.height) - 1) + Int(key.width) * 4
        let bytes = pixels.assumingMemoryBound(to: UInt8.self)
        target.pointer.pointee.buf.0 = av_buffer_create(bytes, byteCount, freeNothing, nil, 0)
        target.pointer.pointee.data.0 = bytes
        target.pointer.pointee.linesize.0 = Int32(stride)
        target.pointer.pointee.width = key.width
        target.pointer.pointee.height = key.height
        target.pointer.pointee.format = key.target.format.rawValue
        try check(sws_scale_frame(context.pointer, target.pointer, frame), doing: "drawing")
    }
}

extension PixelConverter {
    /// A frame of planes for what comes out.
    func makePlanes() throws(CastError) -> CObject<UnsafeMutablePointer<AVFrame>> {
        let planes = try allocated(makeFrame())
        planes.pointer.pointee.format = key.target.format.rawValue
        planes.pointer.pointee.width = key.width
        planes.pointer.pointee.height = key.height
        try check(av_frame_get_buffer(planes.pointer, 0), doing: "drawing")
        return planes
    }

    /// Converts a frame into another of the right size and format.
    func convert(
        _ frame: UnsafeMutablePointer<AVFrame>, into target: UnsafeMutablePointer<AVFrame>
    ) throws(CastError) {
        try check(sws_scale_frame(context.pointer, target, frame), doing: "drawing")
    }
}

/// The memory of a surface is freed by whose it is.
private func freeNothing(opaque: UnsafeMutableRawPointer?, data: UnsafeMutablePointer<UInt8>?) {}

extension CastError {
    fileprivate static let unknownPixels = CastError(
        .decodeFailed, "The picture is of a kind that cannot be drawn.", hint: "Try another copy of the media.")
}

extension ColourDescription.Matrix {
    /// libswscale's number for the coefficients.
    fileprivate var swscale: Int32 {
        switch self {
        case .bt709, .rgb: SWS_CS_ITU709
        case .bt601: SWS_CS_ITU601
        case .bt2020: SWS_CS_BT2020
        case .fcc: SWS_CS_FCC
        case .smpte240m: SWS_CS_SMPTE240M
        }
    }
}
