/// What the server takes from a peer before it says no.
public struct HTTPServerLimits: Sendable, Hashable {
    /// The largest request body, in bytes; more is answered with 413.
    public var bodySize = 1 << 20
    /// The largest request line and headers together, in bytes, at most 32 KiB; more is answered with 431.
    public var headerSize = 16 << 10
    /// The longest a request may take to arrive, in seconds, and an idle connection may stay open.
    public var requestTime = 10.0
    /// Connections from one address; more are closed.
    public var connectionsPerAddress = 64
    /// Event streams open at once; more are answered with 503.
    public var eventStreams = 1000
    /// The most that is kept for an event stream whose reader does not keep up, in bytes; then it is closed.
    public var unsentEvents = 1 << 20
    /// The time after which a quiet event stream carries a comment, in seconds; 0 for never.
    public var heartbeatInterval = 10.0

    /// The limits of a receiver.
    public init() {}
}
