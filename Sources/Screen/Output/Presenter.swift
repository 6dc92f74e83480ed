internal import Casting
internal import Media

/// Puts pictures and what lies over them on the screen.
///
/// What is drawn shows only once it is presented, so that the work is done before a picture's time. Belongs to the main
/// thread, as SDL's windows do.
@MainActor
protocol Presenter: AnyObject {
    /// How pictures of another shape than the window's are laid on it.
    var gravity: VideoGravity { get set }

    /// Pixels of the window.
    var size: Size { get }

    /// What it is, for people.
    var name: String { get }

    /// Takes in that the window is another, or has another size. Everything must be drawn anew.
    func reset(window: OpaquePointer) throws(CastError)

    /// Draws a picture (nothing where nil) with `images` and then `overlay` on it, out of sight.
    ///
    /// - Parameters:
    ///   - images: text of the film, from the back to the front.
    ///   - damage: what changed of the overlay and the images since the last drawing; nil where all must be drawn.
    func draw(_ frame: VideoFrame?, _ images: [ImageOverlay], _ overlay: Overlay, damage: [PixelRect]?)
        throws(CastError)

    /// Brings what was drawn on the screen.
    func present() throws(CastError)

    /// What was drawn last, pixel by pixel.
    func capture() throws(CastError) -> PixelPicture
}
