/// Who asks for a session.
public struct SenderIdentity: Codable, Hashable, Sendable {
    /// Stays the same for one sender on one machine.
    public var id: String
    /// A name for people, shown on the TV and to other senders.
    public var name: String

    /// A sender by id and name.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// Whether a new session may push another out.
public enum Takeover: String, Codable, CaseIterable, Sendable {
    /// Only if nobody holds the receiver.
    case never
    /// Also if the holder is playing nothing.
    case ifIdle
    /// In any case.
    case always
}

/// The body of `POST /v1/sessions`.
public struct SessionRequest: Codable, Hashable, Sendable {
    /// Who asks.
    public var sender: SenderIdentity
    /// Whether to push another session out; `ifIdle` where absent.
    public var takeover: Takeover?

    /// A request by `sender`.
    public init(sender: SenderIdentity, takeover: Takeover? = nil) {
        self.sender = sender
        self.takeover = takeover
    }
}

/// A session that was opened: what its sender needs to use it.
public struct SessionGrant: Codable, Hashable, Sendable {
    /// Names the session in paths.
    public var id: String
    /// The secret that every call on the session carries. Never logged.
    public var token: String
    /// The state to begin with.
    public var state: PlaybackState
    /// What the same sender was playing when the receiver last went down, if it was; without request headers.
    public var interrupted: SessionEnd?

    /// A session with its secret.
    public init(id: String, token: String, state: PlaybackState, interrupted: SessionEnd? = nil) {
        self.id = id
        self.token = token
        self.state = state
        self.interrupted = interrupted
    }
}

/// How a session ended: enough to go on playing elsewhere.
public struct SessionEnd: Codable, Hashable, Sendable {
    /// The item that was current; nil when idle.
    public var item: MediaItem?
    /// Seconds of item time it was at; nil when idle.
    public var position: Double?
    /// Whether it was playing, or would have been once it had data.
    public var wasPlaying: Bool

    /// The end of a session.
    public init(item: MediaItem? = nil, position: Double? = nil, wasPlaying: Bool) {
        self.item = item
        self.position = position
        self.wasPlaying = wasPlaying
    }
}
