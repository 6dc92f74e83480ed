public import Casting

/// Finds receivers on the local network through the Avahi daemon.
public struct RouteBrowser: Sendable {
    private let type: String

    /// A browser for receivers, or for another DNS-SD service type with the same TXT record.
    public init(type: String = Castway.serviceType) { self.type = type }

    /// What is known, whenever it changes: receivers come, change and go.
    ///
    /// The first snapshot is there within milliseconds. Where the daemon is not running the snapshot says so in
    /// `problem`; the stream goes on and receivers come as soon as there is a daemon. The browsing stops when the
    /// stream is dropped or its task cancelled. Each call browses on its own; slow readers get the newest snapshot only.
    public func routes() -> AsyncStream<RouteSnapshot> { AsyncStream { $0.finish() } }

    /// The receivers there are: as soon as the daemon's cache has answered with at least one, else as soon as the
    /// network has been asked, at most after `seconds`.
    ///
    /// - Throws: `discoveryUnavailable` where no Avahi daemon is running.
    public func routes(within seconds: Double) async throws(CastError) -> [Route] { [] }

    /// Looks for a receiver's own announcement, as others would see it, for at most `seconds`.
    public func sighting(of id: String, within seconds: Double) async -> Sighting { .notSeen }
}

/// Whether a receiver's announcement was seen, and where.
public enum Sighting: Hashable, Sendable {
    /// Seen on these network interfaces, loopback not among them.
    case seen(interfaces: [String])
    /// Seen only on the loopback interface: no other machine can see it.
    case loopbackOnly
    /// The daemon answers, but does not know the receiver.
    case notSeen
    /// The daemon cannot be reached; the error says what to do.
    case unavailable(CastError)
}
