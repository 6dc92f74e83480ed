import CFFmpeg
public import Casting

/// Draws frames as pixels of the screen, at any size, upright and in the right colours.
///
/// Pixels are four bytes: blue, green, red and one unused. Used by one thread at a time.
public final class Scaler {
    private let threads: Int
    private var converter: PixelConverter?
    /// How the light of pictures is mapped, where they are not SDR of BT.709, and planes to map from.
    private var toneMap: ToneMap?
    private var planes: CObject<UnsafeMutablePointer<AVFrame>>?
    /// Where pictures are drawn that cannot go straight to their place.
    private var scratch: PixelBuffer?

    /// A scaler that keeps its set-up between frames of one kind.
    ///
    /// - Parameter threads: how many threads share a picture.
    public init(threads: Int = 2) {
        MediaLog.takeOver()
        self.threads = threads
    }

    /// Draws a frame so that it fills `width` by `height` pixels.
    ///
    /// Nothing outside the rectangle is touched. Fastest where the frame is upright, `pixels` and `stride` are multiples
    /// of 16 bytes and `width` is one of 16 pixels: then the picture goes straight to its place.
    /// - Parameters:
    ///   - pixels: the first pixel of the rectangle, which may be part of a larger surface.
    ///   - stride: bytes from one row to the next.
    ///   - crop: the part of the upright picture to show; all of it unless said otherwise.
    package func draw(
        _ frame: VideoFrame, into pixels: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int,
        crop: Crop = .none
    ) throws(CastError) {
        guard width > 0, height > 0 else { return }
        let source = try frame.cropped(crop).asLuma(isFullRange: frame.colour.isFullRange)
        let orientation = frame.orientation
        let isAligned = (Int(bitPattern: pixels) | stride) % 16 == 0 && width % 16 == 0
        let curve = ToneCurve(frame.colour)
        let hasAlpha = curve == nil && frame.hasAlpha
        let stored = orientation.swapsAxes ? Size(width: height, height: width) : Size(width: width, height: height)
        let target = curve != nil ? PixelConverter.Target.planes : hasAlpha ? .alphaPixels : .pixels
        let converter = try converter(for: frame, source, size: stored, target: target)
        if orientation == Orientation() && !hasAlpha && (isAligned || curve != nil) {
            try convert(source.pointer, with: converter, curve, into: pixels, stride: stride)
            return
        }
        let buffer = scratch.flatMap { $0.size == stored ? $0 : nil } ?? PixelBuffer(stored)
        scratch = buffer
        try convert(source.pointer, with: converter, curve, into: buffer.pixels, stride: buffer.stride)
        if hasAlpha { buffer.blendOnBlack() }
        buffer.copy(to: pixels, stride: stride, width: width, height: height, orientation: orientation)
    }

    /// Makes pixels of a frame, by way of a tone map where there is a curve.
    private func convert(
        _ frame: UnsafeMutablePointer<AVFrame>, with converter: PixelConverter, _ curve: ToneCurve?,
        into pixels: UnsafeMutableRawPointer, stride: Int
    ) throws(CastError) {
        guard let curve else { return try converter.convert(frame, into: pixels, stride: stride) }
        let map = toneMap.flatMap { $0.curve == curve ? $0 : nil } ?? ToneMap(curve)
        toneMap = map
        let planes: CObject<UnsafeMutablePointer<AVFrame>>
        if let kept = self.planes { planes = kept } else { planes = try converter.makePlanes() }
        self.planes = planes
        try converter.convert(frame, into: planes.pointer)
        map.draw(planes.pointer, into: pixels, stride: stride, threads: threads)
    }

    /// Draws a frame into a picture of its own.
    public func picture(of frame: VideoFrame, width: Int, height: Int) throws(CastError) -> PixelPicture {
        var picture = PixelPicture(width: width, height: height)
        var failure: CastError?
        picture.bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            do throws(CastError) {
                try draw(frame, into: start, stride: width * 4, width: width, height: height)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return picture
    }

    private func converter(
        for frame: VideoFrame, _ source: CObject<UnsafeMutablePointer<AVFrame>>, size: Size,
        target: PixelConverter.Target
    ) throws(CastError) -> PixelConverter {
        let key = PixelConverter.Key(
            sourceWidth: source.pointer.pointee.width, sourceHeight: source.pointer.pointee.height,
            sourceFormat: source.pointer.pointee.format, matrix: frame.colour.matrix,
            isFullRange: frame.colour.isFullRange, width: Int32(size.width), height: Int32(size.height),
            target: target)
        if let converter, converter.key == key { return converter }
        let new = try PixelConverter(key, threads: threads)
        converter = new
        planes = nil
        return new
    }
}

extension VideoFrame {
    /// Whether parts of the picture are see-through.
    fileprivate var hasAlpha: Bool {
        guard let format = av_pix_fmt_desc_get(AVPixelFormat(object.pointer.pointee.format)) else { return false }
        return format.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    }

    /// The frame without what is to be left out at its edges; itself where that is nothing.
    fileprivate func cropped(_ crop: Crop) throws(CastError) -> CObject<UnsafeMutablePointer<AVFrame>> {
        guard crop != .none else { return object }
        let edges = crop.stored(orientation)
        let copy = try allocated(
            CObject(av_frame_clone(object.pointer)) { frame in
                var frame: UnsafeMutablePointer<AVFrame>? = frame
                av_frame_free(&frame)
            })
        // Chroma samples of up to four pixels are kept whole.
        func pixels(_ share: Double, of length: Int) -> Int {
            Int((min(max(share, 0), 1) * Double(length)).rounded()) / 4 * 4
        }
        let (left, right) = (pixels(edges.left, of: width), pixels(edges.right, of: width))
        let (top, bottom) = (pixels(edges.top, of: height), pixels(edges.bottom, of: height))
        guard left + right < width, top + bottom < height else { return object }
        copy.pointer.pointee.crop_left = left
        copy.pointer.pointee.crop_right = right
        copy.pointer.pointee.crop_top = top
        copy.pointer.pointee.crop_bottom = bottom
        try check(av_frame_apply_cropping(copy.pointer, Int32(AV_FRAME_CROP_UNALIGNED)), doing: "drawing")
        return copy
    }
}
