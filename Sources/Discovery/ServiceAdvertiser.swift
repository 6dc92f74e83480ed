public import Casting

/// How far the announcing of a service has come.
public enum AdvertisementStatus: Hashable, Sendable {
    /// Asked for, not yet seen to hold.
    case starting
    /// Everybody on the network can see it, under this name, which differs from the wished one after a collision.
    case advertised(name: String)
    /// It is not announced, and will be as soon as the Avahi daemon can be reached; the error says what to do.
    case waitingForDaemon(CastError)
    /// Taken back for good.
    case withdrawn
}

/// Announces a receiver on the local network through the Avahi daemon.
///
/// Never fails: without a daemon it waits for one, after the daemon's restart it announces again, and where the name is
/// taken it uses the next one ("TV #2"). All calls return at once, but `stop()`.
public final class ServiceAdvertiser: Sendable {
    /// An advertiser that is silent until `start()`.
    ///
    /// - Parameters:
    ///   - record: what to say; the name is cut to the 63 bytes a service's name may have.
    ///   - port: the TCP port, which must be bound already.
    ///   - type: the DNS-SD service type (RFC 6763 §7).
    public init(record: ServiceRecord, port: Int, type: String = Castway.serviceType) {}

    /// Begins to announce. Only the first call counts.
    public func start() {}

    /// Announces another record. A new name starts from that name again, a change in the rest is seen within a second.
    public func update(record: ServiceRecord) {}

    /// Announces whether the receiver is free.
    public func update(availability: Availability) {}

    /// Announces another port.
    public func update(port: Int) {}

    /// Takes the service back for good, telling the network (goodbye). Blocks up to 0.3 s; safe to call more than once.
    public func stop() {}

    /// What is true now, then every change; ends after `.withdrawn`. Each call gives a stream of its own.
    public var status: AsyncStream<AdvertisementStatus> { AsyncStream { $0.finish() } }
}
