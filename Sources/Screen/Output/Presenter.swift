internal import Casting
internal import Media

/// Puts pictures and what lies over them on the screen.
///
/// What is drawn shows only once it is presented, so that the work is done before a picture's time. Belongs to the main
/// thread, as SDL's windows do.
@MainActor
protocol Presenter: AnyObject {
    /// Pixels of the window.
    var size: Size { get }

    /// What it is, for people.
    var name: String { get }

    /// Takes in that the window is another, or has another size. Everything must be drawn anew.
    func reset(window: OpaquePointer) throws(CastError)

    /// Draws a picture (nothing where nil) with `overlay` on it, out of sight.
    ///
    /// - Parameter damage: what changed of the overlay since the last drawing; nil where all must be drawn.
    func draw(_ frame: VideoFrame?, _ overlay: Overlay, damage: [PixelRect]?) throws(CastError)

    /// Brings what was drawn on the screen.
    func present() throws(CastError)

    /// What was drawn last, pixel by pixel.
    func capture() throws(CastError) -> PixelPicture
}
