public import Casting

/// The player: plays the items of a queue on a screen and a sound device.
public final class Player: PlaybackControl {
    /// What happens, in order. For one listener.
    public let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    /// An idle player that shows pictures on `video` and sounds on `audio`. The device is opened once it is needed.
    public init(video: any VideoOutput, audio: any AudioOutput, settings: PlayerSettings = PlayerSettings()) {
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Carries out a command and answers once it has taken effect.
    public func perform(_ command: Command) async throws(CastError) -> CommandOutcome {
        throw CastError(.operationNotSupported, "The player cannot play yet.")
    }

    /// The state now, with a timeline that is true now.
    public var state: PlaybackState { PlaybackState() }

    /// The items of the queue in playing order, each with an id.
    public var queue: [MediaItem] { [] }

    /// Stops for good, frees everything and ends `events`.
    public func shutdown() async { continuation.finish() }
}
