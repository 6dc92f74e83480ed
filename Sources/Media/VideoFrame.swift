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
