public import Casting
import Synchronization

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
    public func routes() -> AsyncStream<RouteSnapshot> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RouteSnapshot.self, bufferingPolicy: .bufferingNewest(1))
        let thread = PollThread { [type] services in
            Browsing(services: services, type: type) { continuation.yield($0) }
        }
        if let thread {
            continuation.onTermination = { _ in thread.stop(waiting: 0) }
        } else {
            continuation.yield(RouteSnapshot(problem: outOfThreads))
            continuation.finish()
        }
        return stream
    }

    /// The receivers there are: as soon as the daemon's cache has answered with at least one, else as soon as the
    /// network has been asked, at most after `seconds`.
    ///
    /// - Throws: `discoveryUnavailable` where no Avahi daemon is running, or none answers.
    public func routes(within seconds: Double) async throws(CastError) -> [Route] {
        let snapshot = await watch(within: seconds) { snapshot in
            snapshot.problem != nil || snapshot.phase == .allForNow
                || snapshot.phase == .cacheExhausted && !snapshot.routes.isEmpty
        }
        if let problem = snapshot.problem { throw problem }
        return snapshot.routes
    }

    /// Looks for a receiver's own announcement, as others would see it, for at most `seconds`.
    public func sighting(of id: String, within seconds: Double) async -> Sighting {
        let snapshot = await watch(within: seconds) { snapshot in
            snapshot.problem != nil
                || snapshot.phase >= .cacheExhausted && !outward(snapshot.interfaces[id] ?? []).isEmpty
        }
        if let problem = snapshot.problem { return .unavailable(problem) }
        guard let interfaces = snapshot.interfaces[id] else { return .notSeen }
        let others = outward(interfaces)
        return others.isEmpty ? .loopbackOnly : .seen(interfaces: others)
    }

    /// The first snapshot that satisfies, or the last one in that time.
    private func watch(
        within seconds: Double, until isEnough: @escaping @Sendable (RouteSnapshot) -> Bool
    ) async -> RouteSnapshot {
        let latest = Latest(RouteSnapshot(problem: silentDaemon))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await snapshot in routes() {
                    latest.set(snapshot)
                    if isEnough(snapshot) { return }
                }
            }
            group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
            await group.next()
            group.cancelAll()
        }
        return latest.value
    }
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

/// Those of the interfaces that other machines can be on.
private func outward(_ interfaces: [String]) -> [String] { interfaces.filter { $0 != "lo" } }

/// Nothing at all was heard in time: the daemon or the message bus hangs.
private let silentDaemon = CastError(
    .discoveryUnavailable, "The Avahi daemon does not answer.",
    hint: "Restart it with “sudo systemctl restart avahi-daemon”.")

/// The snapshot seen last, between two tasks.
private final class Latest: Sendable {
    private let state: Mutex<RouteSnapshot>

    init(_ snapshot: RouteSnapshot) { state = Mutex(snapshot) }

    var value: RouteSnapshot { state.withLock { $0 } }

    func set(_ snapshot: RouteSnapshot) { state.withLock { $0 = snapshot } }
}
