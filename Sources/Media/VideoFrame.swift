import CFFmpeg
public import Casting

/// A decoded picture.
public final class VideoFrame: Sendable {
    /// Item time at which it is to be shown, in seconds.
    public let presentationTime: Double
    /// Seconds that it lasts; nil where the media does not say.
    public let duration: Double?
    /// Width of the stored picture in pixels, before turning.
    public let width: Int
    /// Height of the stored picture in pixels, before turning.
    public let height: Int
    /// Width and height to show it at, in square pixels, upright.
    public let displaySize: Size
    /// How it is to be turned to stand upright. `Scaler` does so.
    public let orientation: Orientation
    /// What its pixels' numbers mean.
    public let colour: ColourDescription
    /// Whether decoding could begin with it.
    public let isKey: Bool
    /// Whether it consists of two fields of different times.
    public let isInterlaced: Bool
    let object: CObject<UnsafeMutablePointer<AVFrame>>

    init(
        _ object: CObject<UnsafeMutablePointer<AVFrame>>, presentationTime: Double, duration: Double?,
        displaySize: Size, orientation: Orientation, colour: ColourDescription
    ) {
        self.object = object
        self.presentationTime = presentationTime
        self.duration = duration
        self.displaySize = displaySize
        self.orientation = orientation
        self.colour = colour
        width = Int(object.pointer.pointee.width)
        height = Int(object.pointer.pointee.height)
        isKey = object.pointer.pointee.key_frame != 0
        isInterlaced = object.pointer.pointee.interlaced_frame != 0
    }
}

extension VideoFrame {
    /// How far it reaches from dark to bright.
    public var dynamicRange: DynamicRange {
        switch colour.transfer {
        case .sdr: .sdr
        case .pq: .pq
        case .hlg: .hlg
        }
    }
}

extension VideoFrame {
    /// A frame made of pixels rather than decoded, for pictures of one's own and for tests.
    ///
    /// - Parameters:
    ///   - presentationTime: item time in seconds.
    ///   - duration: seconds that it lasts.
    public convenience init(
        _ picture: PixelPicture, presentationTime: Double = 0, duration: Double? = nil
    ) throws(CastError) {
        let object = try allocated(makeFrame())
        let frame = object.pointer
        frame.pointee.format = AV_PIX_FMT_BGR0.rawValue
        frame.pointee.width = Int32(picture.width)
        frame.pointee.height = Int32(picture.height)
        try check(av_frame_get_buffer(frame, 0), doing: "making a picture")
        guard let rows = frame.pointee.data.0 else { throw CastError(averror: CFF_ERROR_NO_MEMORY, doing: "") }
        let rowBytes = picture.width * 4
        picture.bytes.withUnsafeBytes { bytes in
            for y in 0..<picture.height {
                UnsafeMutableRawBufferPointer(start: rows + y * Int(frame.pointee.linesize.0), count: rowBytes)
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[(y * rowBytes)..<((y + 1) * rowBytes)]))
            }
        }
        self.init(
            object, presentationTime: presentationTime, duration: duration,
            displaySize: Size(width: picture.width, height: picture.height), orientation: Orientation(),
            colour: ColourDescription(matrix: .rgb, isFullRange: true))
    }
}
