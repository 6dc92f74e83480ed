/// Something that happened, in the order it happened. Every front end hears the same.
public enum Event: Hashable, Sendable {
    /// The state changed; the whole new state.
    case state(PlaybackState)
    /// Playback moved on; sent at the listener's interval of item time, never while paused.
    case progress(Timeline)
    /// Media did not arrive in time; playback waits.
    case stalled(itemID: String)
    /// An item played to its end: once each time it does, so again after seeking back and at each round of a loop.
    case ended(itemID: String)
    /// An item could not be opened.
    case failed(itemID: String, error: CastError)
    /// An item that was ready could not be played to its end. Never together with `ended`.
    case failedToEnd(itemID: String, error: CastError)
    /// Something of an item does not work, a file of subtitles for example; it plays on.
    case notice(itemID: String, error: CastError)
    /// An item's URL has stopped being valid; a fresh one is waited for.
    case urlExpired(URLExpiry)
    /// The position changed other than by playing. Comes before the state that says the new one.
    case timeJumped(TimeJump)
    /// The rate asked for changed. Comes after the state that says the new one.
    case rateChanged(RateChange)
    /// Other tracks of the item are played than before. Comes after the state that says which.
    case selectionChanged(itemID: String)
    /// The item's first picture is up.
    case readyForDisplay(itemID: String)
    /// Playback came past a time that the listener asked to be told of.
    case boundary(BoundaryCrossing)
    /// This session no longer holds the receiver.
    case routeLost(RouteLoss)
}

/// A change of position other than by playing.
public struct TimeJump: Codable, Hashable, Sendable {
    /// What made the position change.
    public enum Reason: String, Codable, Sendable {
        /// A seek or skip.
        case seek
        /// The item begins again by itself, for it is looped.
        case loop
        /// It begins again because it was asked to play while it stood at its end.
        case restart
    }

    /// The item it happened in.
    public var itemID: String
    /// Seconds of item time before.
    public var from: Double
    /// Seconds of item time after.
    public var to: Double
    /// What made it change; nil where that is not known.
    public var reason: Reason?

    /// A jump within an item.
    public init(itemID: String, from: Double, to: Double, reason: Reason? = nil) {
        self.itemID = itemID
        self.from = from
        self.to = to
        self.reason = reason
    }
}

/// A change of the rate asked for, after AVPlayer's rateDidChangeNotification.
public struct RateChange: Codable, Hashable, Sendable {
    /// What changed it.
    public enum Reason: String, Codable, Sendable {
        /// Somebody asked for it.
        case setRateCalled
        /// Another item became current, or none.
        case itemChanged
        /// Playback ran dry while it was not to wait by itself.
        case stalled
        /// The item reached its end and was to stand there.
        case reachedEnd
        /// The item failed.
        case itemFailed
    }

    /// The item that is current; nil when idle.
    public var itemID: String?
    /// The rate from now on; 0 for paused.
    public var rate: Double
    /// What changed it.
    public var reason: Reason

    /// A change to `rate`.
    public init(itemID: String?, rate: Double, reason: Reason) {
        self.itemID = itemID
        self.rate = rate
        self.reason = reason
    }
}

/// Playback came past a time that a listener asked for.
public struct BoundaryCrossing: Codable, Hashable, Sendable {
    /// The item that plays.
    public var itemID: String
    /// The time, in seconds of item time, as it was asked for.
    public var time: Double

    /// A crossing of `time`.
    public init(itemID: String, time: Double) {
        self.itemID = itemID
        self.time = time
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
