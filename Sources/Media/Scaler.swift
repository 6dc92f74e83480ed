public import Casting

/// Draws frames as pixels of the screen, at any size, upright and in the right colours.
///
/// Pixels are four bytes: blue, green, red and one unused. Used by one thread at a time.
public final class Scaler {
    /// A scaler that keeps its set-up between frames of one kind.
    ///
    /// - Parameter threads: how many threads share a picture.
    public init(threads: Int = 2) {}

    /// Draws a frame so that it fills `width` by `height` pixels.
    ///
    /// - Parameters:
    ///   - pixels: the first pixel of the rectangle, which may be part of a larger surface.
    ///   - stride: bytes from one row to the next.
    ///   - crop: the part of the upright picture to show; all of it unless said otherwise.
    package func draw(
        _ frame: VideoFrame, into pixels: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int,
        crop: Crop = .none
    ) throws(CastError) {}

    /// Draws a frame into a picture of its own.
    public func picture(of frame: VideoFrame, width: Int, height: Int) throws(CastError) -> PixelPicture {
        PixelPicture(width: width, height: height)
    }
}
