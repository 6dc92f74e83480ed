public import Casting
import FoundationEssentials
public import Playback

/// The one place where commands are applied and state is published: sessions, their policy and their events.
///
/// Every front end uses the same receiver, and so do the TV's own keys. One session holds it at a time; a session
/// outlives its sender's connection and ends by its sender's word, at the TV, by takeover, or when the receiver stops.
public actor Receiver {
    /// How a receiver behaves.
    public struct Settings: Hashable, Sendable {
        /// The receiver's UUID.
        public var id: String
        /// Its name for people.
        public var name: String
        /// Whom a new session pushes out where its sender does not say.
        public var takeover = Takeover.ifIdle
        /// What it can play.
        public var capabilities: ReceiverInfo.Capabilities

        /// Settings of a receiver that lets a new session in while nothing plays.
        public init(id: String, name: String, capabilities: ReceiverInfo.Capabilities) {
            self.id = id
            self.name = name
            self.capabilities = capabilities
        }
    }

    /// The player that the commands go to.
    nonisolated let playback: any PlaybackControl
    nonisolated let log: Log
    nonisolated let publisher: Publisher
    private let store: StateStore?
    private var settings: Settings
    var arbiter = SessionArbiter()
    var session: Session?
    var ended: [EndedSession] = []
    /// Quiets the player after a session's end; whoever opens the next one waits for it.
    var quieting: Task<Void, Never>?
    private var interrupted: SavedPlayback?
    private var isStopping = false

    /// A receiver that steers `playback`, whose events it takes for itself (`observe` passes them on).
    ///
    /// - Parameter store: where the position is kept when the receiver stops; nil to forget it.
    public init(playback: any PlaybackControl, settings: Settings, store: StateStore? = nil, log: Log = .silent) {
        self.playback = playback
        self.settings = settings
        self.store = store
        self.log = log
        interrupted = store?.savedPlayback
        publisher = Publisher(state: playback.state)
        Task.detached { [playback, publisher, log] in
            for await event in playback.events {
                Self.tell(event, log)
                publisher.publish(event)
            }
        }
    }

    // MARK: What is true now

    /// The state of playback now.
    public nonisolated var state: PlaybackState { playback.state }

    /// The picture that goes with the current item; nil where there is none.
    public nonisolated var artwork: Artwork? { playback.artwork }

    /// The items of the queue, without their request headers.
    public nonisolated var queue: QueueDocument {
        let items = playback.queue.map(\.withoutHeaders)
        return QueueDocument(items: items, current: playback.state.item?.id)
    }

    /// What the current item took from the network, or the last one.
    public nonisolated var accessLog: AccessLogDocument { playback.accessLog }

    /// What went wrong on the network for the current item, or the last one.
    public nonisolated var errorLog: ErrorLogDocument { playback.errorLog }

    /// Who the receiver is, what it can do, whether it is free.
    public var info: ReceiverInfo {
        let now = publisher.availability
        return ReceiverInfo(
            id: settings.id, name: settings.name, model: Castway.model, version: Castway.version,
            protocolVersion: Castway.protocolVersion, capabilities: settings.capabilities,
            availability: now.availability, currentSender: now.currentSender)
    }

    /// Takes another name, for example the one it could be announced under.
    public func rename(to name: String) { settings.name = name }

    // MARK: What happens

    /// Everything that happens in playback, for parts of the same program such as the screen. Ends at `shutdown`.
    ///
    /// A listener that falls far behind loses the oldest events. Of a session's end it hears `routeLost`.
    public nonisolated func observe() -> AsyncStream<Event> { publisher.observe() }

    /// Whether the receiver is free and who holds it: now, and whenever that changes. Only the latest is kept for a slow
    /// listener.
    public nonisolated func availability() -> AsyncStream<AvailabilityDocument> { publisher.watchAvailability() }

    private nonisolated static func tell(_ event: Event, _ log: Log) {
        switch event {
        case .failed(let item, let error), .failedToEnd(let item, let error):
            log.warning("item \(item) failed (\(error.code.rawValue)): \(error.message)")
        case .notice(let item, let error): log.warning("item \(item): \(error.message)")
        case .stalled(let item): log.info("item \(item) waits for its media")
        case .ended(let item): log.info("item \(item) ended")
        case .urlExpired(let expiry): log.warning("item \(expiry.itemID) needs a fresh URL (\(expiry.status))")
        default: break
        }
    }

    // MARK: Sessions

    /// Opens a session, pushing another out where the request and the rules allow it.
    ///
    /// Answers once the session before has been quieted: no command of its can take effect any more.
    /// - Throws: `receiverBusy` naming who holds it; `invalidRequest` for a sender that cannot be; `sessionEnded` where yet
    ///   another sender took over meanwhile, or the receiver is stopping.
    public func open(_ request: SessionRequest) async throws(CastError) -> SessionGrant {
        try CommandRules.check(request.sender)
        guard !isStopping else { throw CastError(.sessionEnded, "The receiver is going down.") }
        let takeover = request.takeover ?? settings.takeover
        switch arbiter.decide(request.sender, takeover: takeover, availability: playback.state.availability) {
        case .open: break
        case .refuse(let error):
            log.info("refused a session to \(request.sender.name): \(error.message)")
            throw error
        case .replace: close(.takenOver, by: request.sender.name)
        }
        let new = Session(
            id: UUID().uuidString.lowercased(), sender: request.sender, hub: EventHub(state: PlaybackState()))
        session = new
        arbiter.holder = .init(session: new.id, sender: new.sender)
        publisher.attach(new.hub, of: new.sender.name)
        log.info("session \(new.id) opened by \(new.sender.name)")
        while let quieting {
            await quieting.value
            if self.quieting == quieting { self.quieting = nil }
        }
        guard session === new else { throw error(of: new.id) }
        // What the player said while it was being quieted is no affair of the new sender's.
        await new.hub.catchUp(with: playback)
        guard session === new else { throw error(of: new.id) }
        return SessionGrant(
            id: new.id, token: new.token.text, state: playback.state, interrupted: interruption(of: request.sender))
    }

    private func interruption(of sender: SenderIdentity) -> SessionEnd? {
        interrupted.flatMap { $0.sender.id == sender.id ? $0.end : nil }
    }

    /// Checks that a session is there and that `token` is its secret.
    ///
    /// - Parameter evenIfEnded: whether a session that has ended will do; `events` may have its end to tell.
    /// - Throws: `notFound` for a session that never was or is long gone, `notAuthorized` for a missing or wrong token,
    ///   `sessionEnded` (with the right token) for one that has ended, saying how.
    public func authorize(session id: String, token: String?, evenIfEnded: Bool = false) throws(CastError) {
        if let session, session.id == id {
            try Self.check(token, session.token)
        } else if let past = ended.last(where: { $0.id == id }) {
            try Self.check(token, past.token)
            if !evenIfEnded { throw past.error }
        } else {
            throw error(of: id)
        }
    }

    private static func check(_ given: String?, _ token: SessionToken) throws(CastError) {
        guard let given else {
            throw CastError(
                .notAuthorized, "The session's token is missing.", hint: "Send Authorization: Bearer TOKEN.")
        }
        guard token.matches(given) else {
            throw CastError(.notAuthorized, "This is not the session's token.", hint: "Open a session of your own.")
        }
    }

    /// Ends a session at its sender's wish, and answers what was playing and where, so that it can go on elsewhere.
    ///
    /// - Throws: `sessionEnded` or `notFound` where it does not hold the receiver.
    @discardableResult
    public func end(session id: String) async throws(CastError) -> SessionEnd {
        _ = try current(id)
        let end = close(.disconnected)
        await quieting?.value
        return end
    }

    /// The events of a session.
    ///
    /// - Parameters:
    ///   - after: the id of the last event the listener has; nil for one that knows nothing yet.
    ///   - progressInterval: seconds of item time from one progress event to the next, within
    ///     `ProgressSchedule.intervals`; nil for none.
    ///   - boundaries: item times, in seconds, of whose crossing the listener wants to be told.
    ///   - heartbeat: seconds of silence after which a heartbeat is given; nil for none.
    /// - Throws: `sessionEnded` where it has ended and the listener knows that, `notFound` where it never was.
    public func events(
        session id: String, after: Int? = nil, progressInterval: Double? = nil, boundaries: [Double] = [],
        heartbeat: Double? = nil
    ) throws(CastError) -> EventFeed {
        var hub = session?.hub
        var resume = after
        if session?.id != id {
            // One that lost its connection before the end still hears of it.
            guard let past = ended.last(where: { $0.id == id }), let after, after >= 0, after < past.lastEventID else {
                throw error(of: id)
            }
            hub = EventHub(ending: past)
            resume = past.lastEventID - 1
        }
        guard let hub else { throw error(of: id) }
        return EventFeed(
            hub, after: resume, progressInterval: progressInterval, boundaries: boundaries, heartbeat: heartbeat,
            present: { [playback] in playback.state })
    }

    /// How many listeners the session has now; for tests that nothing is left over.
    package var listenerCount: Int { session?.hub.listenerCount ?? 0 }

    // MARK: The end

    /// Stops: saves the position, tells the session, ends every stream, shuts the player down. Answers when that is done.
    public func shutdown() async {
        guard !isStopping else { return }
        isStopping = true
        if let sender = session?.sender {
            let end = close(.receiverStopping)
            store?.save(end.item == nil ? nil : SavedPlayback(sender: sender, end: end))
        }
        await playback.shutdown()
        publisher.finish()
    }

    /// Takes in that something else is loaded: what was interrupted is of no use any more.
    func forgetInterruption() {
        guard interrupted != nil else { return }
        interrupted = nil
        store?.save(nil)
    }
}

extension MediaItem {
    /// The item without its request headers, which may be secrets.
    var withoutHeaders: MediaItem {
        var copy = self
        copy.headers = nil
        return copy
    }
}
