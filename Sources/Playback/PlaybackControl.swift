public import Casting

/// What the receiver needs of a player: commands in, state and events out.
///
/// `Player` is the one that plays; tests of what stands above use a fake.
public protocol PlaybackControl: Sendable {
    /// Carries out a command and answers once it has taken effect: a load when the item is ready to play, a seek when
    /// its picture is up. `disconnect` is not for the player and is refused as `invalidRequest`.
    ///
    /// - Throws: the item's error where it fails to load; `noCurrentItem`, `operationNotSupported`, `invalidRequest`,
    ///   `notFound` (no such queue item), `operationCancelled` (something else took its place meanwhile).
    func perform(_ command: Command) async throws(CastError) -> CommandOutcome

    /// The state now, with a timeline that is true now.
    var state: PlaybackState { get }

    /// The items of the queue in playing order, as they were handed in, each with an id.
    var queue: [MediaItem] { get }

    /// The picture that goes with the current item; nil where there is none.
    var artwork: Artwork? { get }

    /// What the current item took from the network, or the last one where there is none.
    var accessLog: AccessLogDocument { get }

    /// What went wrong on the network for the current item, or the last one where there is none.
    var errorLog: ErrorLogDocument { get }

    /// What happens, in order: every change of state, and the notices between them. `progress` and `routeLost` are not
    /// the player's. For one listener.
    var events: AsyncStream<Event> { get }

    /// Stops for good and frees everything. Ends `events`.
    func shutdown() async
}
