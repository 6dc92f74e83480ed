public import Casting
public import Media

/// Where pictures go: a screen, or a fake one in tests.
///
/// The player decides which picture is shown and when; the output puts it up at that instant and says so. It keeps the
/// last picture up until the next one is, whatever happens between: a seek, another item, another size. Its functions
/// are called from the player's threads and return at once.
public protocol VideoOutput: AnyObject, Sendable {
    /// The size of the screen in pixels; nil before it is known.
    var size: Size? { get }

    /// Takes a picture to be put up at its due time. One that was waiting and is not yet up gives way to it.
    func enqueue(_ picture: Picture)

    /// Forgets a picture that waits to be put up; the one that is up stays. One that was about to come up may still do
    /// so, and then says so.
    func flush()

    /// Takes the picture down, so that the background shows again.
    func clear()

    /// Has pictures laid on the screen in another way, the one that is up too.
    func setGravity(_ gravity: VideoGravity)

    /// Has the text over the picture that is up looked at again: it is another now.
    func subtitlesChanged()
}

extension VideoOutput {
    /// Does nothing: for outputs that show no text.
    public func subtitlesChanged() {}

    /// Does nothing: for outputs without a shape of their own.
    public func setGravity(_ gravity: VideoGravity) {}
}

/// A frame with the instant at which it is due.
public struct Picture: Sendable {
    /// The decoded frame, with its geometry and colour description.
    public let frame: VideoFrame
    /// When to put it up; at once where that has passed.
    public let dueTime: HostTime
    /// Whose text lies over it.
    public let subtitles: (any SubtitleSource)?
    /// Called once, from the output's thread, with the instant the picture came up. Not called if it gave way. Must be quick.
    public let whenShown: @Sendable (HostTime) -> Void

    /// A picture of `frame`, due at `dueTime`.
    public init(
        frame: VideoFrame, dueTime: HostTime, subtitles: (any SubtitleSource)? = nil,
        whenShown: @escaping @Sendable (HostTime) -> Void
    ) {
        self.frame = frame
        self.dueTime = dueTime
        self.subtitles = subtitles
        self.whenShown = whenShown
    }
}
