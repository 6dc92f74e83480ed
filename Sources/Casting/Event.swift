/// Something that happened, in the order it happened. Every front end hears the same.
public enum Event: Hashable, Sendable {
    /// The state changed; the whole new state.
    case state(PlaybackState)
    /// Playback moved on; sent at the listener's interval of item time, never while paused.
    case progress(Timeline)
    /// Media did not arrive in time; playback waits.
    case stalled(itemID: String)
    /// An item played to its end.
    case ended(itemID: String)
    /// An item could not be opened, or not be played to its end.
    case failed(itemID: String, error: CastError)
    /// The position changed other than by playing.
    case timeJumped(TimeJump)
    /// This session no longer holds the receiver.
    case routeLost(RouteLoss)
}

/// A change of position other than by playing.
public struct TimeJump: Codable, Hashable, Sendable {
    /// The item it happened in.
    public var itemID: String
    /// Seconds of item time before.
    public var from: Double
    /// Seconds of item time after.
    public var to: Double

    /// A jump within an item.
    public init(itemID: String, from: Double, to: Double) {
        self.itemID = itemID
        self.from = from
        self.to = to
    }
}

/// Why a session lost the receiver, and where its playback was.
public struct RouteLoss: Codable, Hashable, Sendable {
    /// What ended the session.
    public enum Reason: String, Codable, Sendable {
        /// Another sender took over.
        case takenOver
        /// Somebody ended it at the TV.
        case endedAtReceiver
        /// Its sender ended it.
        case disconnected
        /// The receiver is going down.
        case receiverStopping
    }

    /// What ended the session.
    public var reason: Reason
    /// The name of the sender that took over; nil otherwise.
    public var by: String?
    /// The item that was playing, and where: what is needed to go on elsewhere.
    public var item: MediaItem?
    /// Seconds of item time at the end; nil without an item.
    public var position: Double?

    /// A loss for `reason`.
    public init(reason: Reason, by: String? = nil, item: MediaItem? = nil, position: Double? = nil) {
        self.reason = reason
        self.by = by
        self.item = item
        self.position = position
    }
}
