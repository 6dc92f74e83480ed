public import Casting
import Synchronization

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
    /// How long `stop()` waits for the goodbye, in seconds.
    private static let patience = 0.3

    private enum Thread {
        case none, running(PollThread), stopped
    }

    private let wish: Wish
    private let thread = Mutex<Thread>(.none)
    private let reports = Broadcast<AdvertisementStatus>(.starting)

    /// An advertiser that is silent until `start()`.
    ///
    /// - Parameters:
    ///   - record: what to say; the name is cut to the 63 bytes a service's name may have.
    ///   - port: the TCP port, which must be bound already.
    ///   - type: the DNS-SD service type (RFC 6763 §7).
    public init(record: ServiceRecord, port: Int, type: String = Castway.serviceType) {
        wish = Wish(AdvertisementWish(record: record, port: port, type: type))
    }

    deinit { end(waiting: 0) }

    /// Begins to announce. Only the first call counts.
    public func start() {
        thread.withLock { thread in
            guard case .none = thread else { return }
            let started = PollThread { [wish, reports] services in
                Advertisement(services: services, wish: { wish.value }, report: { reports.send($0) })
            }
            guard let started else { return reports.send(.waitingForDaemon(outOfThreads)) }
            thread = .running(started)
        }
    }

    /// Announces another record. A new name starts from that name again, a change in the rest is seen within a second.
    public func update(record: ServiceRecord) { change { $0.record = record } }

    /// Announces whether the receiver is free.
    public func update(availability: Availability) { change { $0.record.availability = availability } }

    /// Announces another port.
    public func update(port: Int) { change { $0.port = port } }

    /// Takes the service back for good, telling the network (goodbye). Blocks up to 0.3 s; safe to call more than once.
    public func stop() { end(waiting: Self.patience) }

    /// What is true now, then every change; ends after `.withdrawn`. Each call gives a stream of its own.
    public var status: AsyncStream<AdvertisementStatus> { reports.stream }

    private func change(_ body: (inout AdvertisementWish) -> Void) {
        wish.change(body)
        thread.withLock { if case .running(let running) = $0 { running.wake() } }
    }

    private func end(waiting seconds: Double) {
        let running = thread.withLock { thread -> PollThread? in
            defer { thread = .stopped }
            guard case .running(let running) = thread else { return nil }
            return running
        }
        running?.stop(waiting: seconds)
        reports.finish(.withdrawn)
    }
}

/// The wish, between the owner's threads and the poll thread.
private final class Wish: Sendable {
    private let state: Mutex<AdvertisementWish>

    init(_ wish: AdvertisementWish) { state = Mutex(wish) }

    var value: AdvertisementWish { state.withLock { $0 } }

    func change(_ body: (inout AdvertisementWish) -> Void) { state.withLock { body(&$0) } }
}

/// Why there is no poll thread.
let outOfThreads = CastError(
    .discoveryUnavailable, "The system has no more files or threads to give.",
    hint: "Close other programs, or raise the limits (“ulimit -n”).")
