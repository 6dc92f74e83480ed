// The bodies of the native API's requests and answers that are not vocabulary of their own.

/// The body of `POST …/rate`. At least one of the two.
public struct RateRequest: Codable, Hashable, Sendable {
    /// The rate from now on: 0 pauses, else 0.5 to 2.
    public var rate: Double?
    /// What `play` plays at from now on, 0.5 to 2.
    public var defaultRate: Double?

    /// A change of one rate, or both.
    public init(rate: Double? = nil, defaultRate: Double? = nil) {
        self.rate = rate
        self.defaultRate = defaultRate
    }
}

/// The body of `POST …/volume`. At least one field; `volume` and `adjustment` exclude each other.
public struct VolumeRequest: Codable, Hashable, Sendable {
    /// The volume from now on, 0 to 1.
    public var volume: Double?
    /// How much to add to the volume, -1 to 1.
    public var adjustment: Double?
    /// Whether sound is off.
    public var muted: Bool?

    /// A change of volume, of muting, or of both.
    public init(volume: Double? = nil, adjustment: Double? = nil, muted: Bool? = nil) {
        self.volume = volume
        self.adjustment = adjustment
        self.muted = muted
    }
}

/// The body of `POST …/skip`.
public struct SkipRequest: Codable, Hashable, Sendable {
    /// Seconds to go on, or back when negative.
    public var seconds: Double

    /// A skip by `seconds`.
    public init(seconds: Double) {
        self.seconds = seconds
    }
}

/// The body of `POST …/step`.
public struct StepRequest: Codable, Hashable, Sendable {
    /// Pictures to go on, or back when negative.
    public var pictures: Int

    /// A step by `pictures`.
    public init(pictures: Int) {
        self.pictures = pictures
    }
}

/// The body of `POST …/queue`.
public struct EnqueueRequest: Codable, Hashable, Sendable {
    /// What to put into the queue, in playing order.
    public var items: [MediaItem]
    /// The id of the item to put them before; at the end where absent.
    public var before: String?

    /// A request to put items into the queue.
    public init(items: [MediaItem], before: String? = nil) {
        self.items = items
        self.before = before
    }
}

/// The answer of `GET …/queue`.
public struct QueueDocument: Codable, Hashable, Sendable {
    /// The items in playing order, without their request headers.
    public var items: [MediaItem]
    /// The id of the current one; nil when idle.
    public var current: String?

    /// A queue's content.
    public init(items: [MediaItem], current: String?) {
        self.items = items
        self.current = current
    }
}

/// The data of the `availability` event of `GET /v1/events`.
public struct AvailabilityDocument: Codable, Hashable, Sendable {
    /// Whether the receiver is free.
    public var availability: Availability
    /// The name of the sender that holds it; nil when nobody does.
    public var currentSender: String?

    /// Whether a receiver is free, and who holds it.
    public init(availability: Availability, currentSender: String?) {
        self.availability = availability
        self.currentSender = currentSender
    }
}
