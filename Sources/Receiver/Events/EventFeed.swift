public import Casting

/// The events of a session as one listener gets them: the complete state first, or what it missed since the event it
/// names; then everything in order; then the end, after `routeLost`.
///
/// Listens from the moment it is made, and is to be iterated once. Ends early when the iterating task is cancelled.
public struct EventFeed: AsyncSequence, Sendable {
    /// What a listener gets.
    public enum Element: Hashable, Sendable {
        /// An event. Only those with an id can be resumed from; progress and boundaries have none.
        case event(id: Int?, Event)
        /// Nothing has happened for a while, and the session is alive.
        case heartbeat
    }

    private let hub: EventHub
    /// The state to begin with and the number of the event that said it; nil where the listener knows that.
    private let first: (state: PlaybackState, lastID: Int)?
    private let place: Int
    private let progressInterval: Double?
    private let boundaries: [Double]
    private let heartbeat: Double?
    private let present: @Sendable () -> PlaybackState

    init(
        _ hub: EventHub, after id: Int?, progressInterval: Double?, boundaries: [Double], heartbeat: Double?,
        present: @escaping @Sendable () -> PlaybackState
    ) {
        self.hub = hub
        self.progressInterval = progressInterval
        self.boundaries = boundaries
        self.heartbeat = heartbeat
        self.present = present
        let latest = hub.latest
        if let id, hub.reaches(after: id) {
            (first, place) = (nil, id)
        } else {
            (first, place) = (latest, latest.lastID)
        }
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// One listener's place among the events.
    public struct Iterator: AsyncIteratorProtocol {
        private let feed: EventFeed
        private let signal: AsyncStream<Void>.Continuation
        private var signals: AsyncStream<Void>.Iterator
        private var first: (state: PlaybackState, lastID: Int)?
        private var place: Int
        private var schedule: ProgressSchedule?
        private var boundaries: BoundarySchedule?
        private var item: ItemState?
        private var owesProgress = false
        /// What is to be told next, before anything else.
        private var owed: ArraySlice<Element> = []
        private var lastSent = HostTime.now

        fileprivate init(_ feed: EventFeed) {
            self.feed = feed
            let (stream, continuation) = feed.hub.signals()
            signal = continuation
            signals = stream.makeAsyncIterator()
            first = feed.first
            place = feed.place
            schedule = feed.progressInterval.map { ProgressSchedule(interval: $0) }
            boundaries = feed.boundaries.isEmpty ? nil : BoundarySchedule(times: feed.boundaries)
            if first == nil {
                let present = feed.present()
                item = present.item
                _ = schedule?.update(present.timeline, at: .now)
                _ = boundaries?.update(present.timeline, item: present.item?.id, at: .now)
            }
        }

        /// The next thing to tell; nil after the last.
        public mutating func next() async -> Element? { await next(isolation: #isolation) }

        /// The next thing to tell, without leaving the caller's actor; nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while !Task.isCancelled {
                let now = HostTime.now
                switch look(at: now) {
                case .found(let element):
                    lastSent = now
                    return element
                case .end: return nil
                case .waitUntil(let deadline): guard await wait(until: deadline, isolation: actor) else { return nil }
                }
            }
            return nil
        }

        private enum Step {
            case found(Element)
            case waitUntil(HostTime?)
            case end
        }

        private mutating func look(at now: HostTime) -> Step {
            if let next = owed.popFirst() { return .found(next) }
            if owesProgress { return .found(progress(at: now)) }
            if let first {
                self.first = nil
                return .found(complete(first, at: now))
            }
            switch feed.hub.find(after: place) {
            case .entry(let entry):
                place = entry.id
                // What playback came past before this happened goes before it.
                owed = take(entry.event, at: now) + [.event(id: entry.id, entry.event)]
                return look(at: now)
            case .lost(let state, let lastID): return .found(complete((state, lastID), at: now))
            case .end: return .end
            case .nothingYet: break
            }
            if let due = boundaries?.nextCrossing, due <= now {
                let present = feed.present().timeline
                owed = crossings(boundaries?.tick(present, at: now))[...]
                return look(at: now)
            }
            if let due = schedule?.nextTick, due <= now { return .found(progress(at: now)) }
            let beat = feed.heartbeat.map { lastSent.advanced(by: $0) }
            if let beat, beat <= now { return .found(.heartbeat) }
            return .waitUntil([schedule?.nextTick, boundaries?.nextCrossing, beat].compactMap { $0 }.min())
        }

        private mutating func complete(_ latest: (state: PlaybackState, lastID: Int), at now: HostTime) -> Element {
            place = latest.lastID
            // What happened meanwhile is not known: nothing was come past.
            _ = boundaries?.update(latest.state.timeline, item: nil, at: now)
            _ = take(.state(latest.state), at: now)
            return .event(id: latest.lastID, .state(latest.state))
        }

        /// Takes in an event.
        /// - Returns: what playback came past before it.
        private mutating func take(_ event: Event, at now: HostTime) -> [Element] {
            switch event {
            case .state(let state):
                if schedule?.update(state.timeline, at: now) == true { owesProgress = true }
                defer { item = state.item }
                return crossings(boundaries?.update(state.timeline, item: state.item?.id, at: now))
            case .timeJumped(let jump):
                owesProgress = schedule != nil
                return crossings(boundaries?.jumped(from: jump.from, to: jump.to, at: now))
            case .ended: return crossings(boundaries?.ended(at: item?.duration))
            default: return []
            }
        }

        private func crossings(_ times: [Double]?) -> [Element] {
            guard let times, let id = item?.id else { return [] }
            return times.map { .event(id: nil, .boundary(BoundaryCrossing(itemID: id, time: $0))) }
        }

        private mutating func progress(at now: HostTime) -> Element {
            owesProgress = false
            let timeline = feed.present().timeline
            schedule?.ticked(timeline, at: now)
            return .event(id: nil, .progress(timeline))
        }

        /// Waits for a signal, at most until `deadline`; false once nobody listens any more.
        private mutating func wait(until deadline: HostTime?, isolation actor: isolated (any Actor)?) async -> Bool {
            let alarm = deadline.map { deadline in
                Task { [signal] in
                    // An alarm that was taken back must stay silent: its signal would end the next wait at once, and that
                    // one's alarm the one after, for ever.
                    guard (try? await Task.sleep(for: .seconds(Swift.max(0, deadline.seconds(since: .now))))) != nil
                    else { return }
                    signal.yield()
                }
            }
            defer { alarm?.cancel() }
            return await signals.next(isolation: actor) != nil
        }
    }
}
