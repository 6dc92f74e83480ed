import Casting
import Synchronization

/// Where an item's bytes come from while it plays. May be used from any thread.
///
/// The URL can run out in the middle. Then whoever plays asks for a fresh one, once, and waits for it as long as agreed;
/// what is buffered plays on meanwhile.
public final class MediaSupply: Sendable {
    private struct State {
        var location: MediaLocation
        /// Addresses that the location had before, oldest first.
        var former: [String] = []
        /// Whether the present location has given any byte since it became the present one.
        var hasDelivered = false
        /// Until when a fresh one is waited for; nil while the present one is good.
        var deadline: HostTime?
        var waiters: [Cancellation] = []
        var isBeingSpooled = false
        /// Since when there has been nothing left to play; nil while there is.
        var drySince: HostTime? = HostTime.now
        var onExpired: @Sendable (_ status: Int) -> Void = { _ in }
    }

    /// Seconds that a fresh URL is waited for.
    public static let patience = 15.0

    /// What came over the network.
    public let traffic = Traffic()
    /// Names this playing of the item to its server; nil to say nothing.
    public let playbackSessionID: String?
    private let patience: Double
    /// Seconds that a server which has gone is waited for once there is nothing left to play.
    let grace: Double
    private let state: Mutex<State>

    /// A supply that begins at a location.
    ///
    /// - Parameters:
    ///   - playbackSessionID: sent as `X-Playback-Session-Id`, to the location's own origin.
    ///   - patience: seconds that a fresh location is waited for.
    ///   - grace: seconds that a server which has gone is waited for once there is nothing left to play.
    public init(
        _ location: MediaLocation, playbackSessionID: String? = nil, patience: Double = MediaSupply.patience,
        grace: Double = 30
    ) {
        self.grace = grace
        self.playbackSessionID = playbackSessionID
        self.patience = patience
        state = Mutex(State(location: location))
    }

    /// Has a handler called each time when the URL has run out, once, with the HTTP status that says so. On the thread
    /// that reads.
    public func onExpiry(_ handler: @escaping @Sendable (_ status: Int) -> Void) {
        state.withLock { $0.onExpired = handler }
    }

    /// Where the item is at present.
    public var location: MediaLocation { state.withLock { $0.location } }

    /// Has everything from now on come from another place: the same media, byte for byte.
    public func renew(_ url: String, headers: [String: String]? = nil) {
        let waiters = state.withLock { state -> [Cancellation] in
            if state.former.last != state.location.url { state.former.append(state.location.url) }
            if state.former.count > 16 { state.former.removeFirst() }
            state.location.url = url
            if let headers { state.location.headers = headers }
            state.hasDelivered = false
            state.deadline = nil
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.cancel() }
    }

    /// Whether all of the media has to come before it can begin, so that opening takes its time; it watches its own
    /// progress then.
    public internal(set) var isBeingSpooled: Bool {
        get { state.withLock { $0.isBeingSpooled } }
        set { state.withLock { $0.isBeingSpooled = newValue } }
    }

    /// Notes whether there is anything left to play. Until told otherwise there is nothing.
    public func noteDry(_ isDry: Bool) {
        state.withLock { state in state.drySince = isDry ? state.drySince ?? .now : nil }
    }

    /// Since when there has been nothing left to play; nil while there is.
    var drySince: HostTime? { state.withLock { $0.drySince } }

    /// The address that stands for one that may have run out meanwhile.
    func present(_ address: String) -> String {
        state.withLock { state in
            var address = address
            for (place, former) in state.former.enumerated() {
                let next = place + 1 < state.former.count ? state.former[place + 1] : state.location.url
                address = FreshAddress.of(address, was: former, is: next) ?? address
            }
            return address
        }
    }

    /// Notes that the server gave bytes.
    func noteDelivery() {
        state.withLock { $0.hasDelivered = true }
    }

    /// Waits until there is a fresh location for `url`, which has run out; at once where it came already.
    ///
    /// - Throws: `urlExpired` where none comes in time, or where the fresh one is of no use either; the cancellation's
    ///   reason.
    func awaitRenewal(of url: String, status: Int, unless cancellation: Cancellation) throws(CastError) {
        let waiter = Cancellation()
        let (deadline, isNews) = state.withLock { state -> (HostTime?, Bool) in
            guard state.location.url == url else { return (.now, false) }
            guard state.former.isEmpty || state.hasDelivered || state.deadline != nil else { return (nil, false) }
            let isNews = state.deadline == nil
            let deadline = state.deadline ?? HostTime.now.advanced(by: patience)
            state.deadline = deadline
            state.waiters.append(waiter)
            return (deadline, isNews)
        }
        guard let deadline else { throw .expired(status) }
        if isNews { state.withLock { $0.onExpired }(status) }
        let hook = cancellation.addHook { waiter.cancel() }
        defer { cancellation.removeHook(hook) }
        do throws(CastError) {
            try pause(deadline.seconds(since: .now), unless: waiter)
        } catch {}
        state.withLock { state in state.waiters.removeAll { $0 === waiter } }
        try cancellation.check()
        guard location.url != url else { throw .expired(status) }
    }
}

/// What an address becomes when the item it belongs to gets another URL.
enum FreshAddress {
    /// The address with the old URL's place and signature changed for the new one's; nil where it is none of that item's.
    static func of(_ address: String, was old: String, is new: String) -> String? {
        guard address != old else { return new }
        let (old, new, given) = (parts(old), parts(new), parts(address))
        guard !old.folder.isEmpty, given.path.hasPrefix(old.folder) else { return nil }
        let path = String(new.folder) + given.path.dropFirst(old.folder.count)
        // A signature is often the query of every piece.
        let query = given.query == old.query ? new.query : given.query
        return String(path) + String(query)
    }

    private static func parts(_ url: String) -> (path: Substring, folder: Substring, query: Substring) {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return (path, path[..<end], url[path.endIndex...])
    }
}

extension CastError {
    /// The URL has run out, and no other came.
    static func expired(_ status: Int) -> CastError {
        CastError(
            .urlExpired, "The link to the media has expired (\(status)).", hint: "Open it again at its source.",
            details: ["status": String(status)])
    }
}
