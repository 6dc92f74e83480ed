import CFFmpeg
import Casting

extension CObject<UnsafeMutablePointer<AVFrame>> {
    /// Grey of the studio's range as the luma of a colourless picture; anything else as it is.
    ///
    /// libswscale takes all grey for full range, and so shows black as dark grey.
    func asLuma(isFullRange: Bool) throws(CastError) -> CObject<UnsafeMutablePointer<AVFrame>> {
        guard !isFullRange, let (format, bits) = lumaFormat(AVPixelFormat(pointer.pointee.format)) else { return self }
        let copy = try allocated(
            CObject(av_frame_clone(pointer)) { frame in
                var frame: UnsafeMutablePointer<AVFrame>? = frame
                av_frame_free(&frame)
            })
        // A line of chroma does for all: rows lie only 16 bytes apart. libswscale reads ahead a little.
        let apart = 16
        let count = Int(pointer.pointee.width) + Int(pointer.pointee.height) * apart / 2 + 64
        let buffer = try allocated(av_buffer_alloc(count * 2))
        copy.pointer.pointee.buf.1 = buffer
        guard let chroma = buffer.pointee.data else { return self }
        if bits == 8 {
            chroma.update(repeating: 128, count: count * 2)
        } else {
            chroma.withMemoryRebound(to: UInt16.self, capacity: count) {
                $0.update(repeating: 1 << UInt16(bits - 1), count: count)
            }
        }
        copy.pointer.pointee.format = format.rawValue
        copy.pointer.pointee.data.1 = chroma
        copy.pointer.pointee.data.2 = chroma
        copy.pointer.pointee.linesize.1 = Int32(apart)
        copy.pointer.pointee.linesize.2 = Int32(apart)
        return copy
    }
}

/// The colour format whose luma is stored as that grey, and its bits.
private func lumaFormat(_ gray: AVPixelFormat) -> (AVPixelFormat, Int)? {
    switch gray {
    case AV_PIX_FMT_GRAY8: (AV_PIX_FMT_YUV420P, 8)
    case AV_PIX_FMT_GRAY9LE: (AV_PIX_FMT_YUV420P9LE, 9)
    case AV_PIX_FMT_GRAY10LE: (AV_PIX_FMT_YUV420P10LE, 10)
    case AV_PIX_FMT_GRAY12LE: (AV_PIX_FMT_YUV420P12LE, 12)
    case AV_PIX_FMT_GRAY14LE: (AV_PIX_FMT_YUV420P14LE, 14)
    case AV_PIX_FMT_GRAY16LE: (AV_PIX_FMT_YUV420P16LE, 16)
    default: nil
    }
}
