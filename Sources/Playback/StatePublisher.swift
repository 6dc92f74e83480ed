internal import Casting
internal import Synchronization

/// Tells the listener of each change of state once, and in order.
///
/// A state is worth telling when more than time has passed. Figures that always change while playing (counts, what is
/// loaded) are told at most once a second. What a listener could read off two states is told as a notice too, right after
/// the second: a new rate, a first picture, other tracks.
final class StatePublisher: Sendable {
    private struct Last {
        var state = PlaybackState()
        var instant = HostTime(nanoseconds: 0)
    }

    /// What was told, for one listener.
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let last = Monitor(Last())
    // The same instant again, to look at without the lock.
    private let lastInstant = Atomic<Int64>(0)

    /// Seconds between two tellings of figures.
    static let figuresInterval = 1.0
    /// Seconds by which a position may be off what the last timeline says before that is news.
    static let positionTolerance = 0.25

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Tells of the state if there is news in it, and of notices before and after it.
    /// - Parameters:
    ///   - reason: why the rate is what it is in the state.
    ///   - state: looked at while no other thread tells anything, so that no older state follows a newer one. It may change
    ///     what it looks at: then nothing is told between `before` and the change.
    func publish(
        before: [Event] = [], after: [Event] = [], reason: () -> RateChange.Reason = { .setRateCalled },
        _ state: () -> PlaybackState
    ) {
        last.withLock { last in
            for event in before { continuation.yield(event) }
            let state = state()
            if Self.isNews(state, after: last.state) { tell(state, &last, reason()) }
            for event in after { continuation.yield(event) }
        }
    }

    /// Tells of figures, if it is time and they have changed.
    func publishFigures(reason: () -> RateChange.Reason = { .setRateCalled }, _ state: () -> PlaybackState) {
        guard isTime(since: HostTime(nanoseconds: lastInstant.load(ordering: .relaxed))) else { return }
        last.withLock { last in
            guard isTime(since: last.instant) else { return }
            let state = state()
            var present = state
            present.timeline = last.state.timeline
            if present != last.state { tell(state, &last, reason()) }
        }
    }

    /// Ends the events.
    func finish() { continuation.finish() }

    private func isTime(since instant: HostTime) -> Bool {
        HostTime.now.seconds(since: instant) >= Self.figuresInterval
    }

    private func tell(_ state: PlaybackState, _ last: inout Last, _ reason: RateChange.Reason) {
        let before = last.state
        last.state = state
        last.instant = .now
        lastInstant.store(last.instant.nanoseconds, ordering: .relaxed)
        continuation.yield(.state(state))
        for notice in Self.notices(of: state, after: before, reason: reason) { continuation.yield(notice) }
    }

    /// What is to be told beside a state.
    static func notices(
        of state: PlaybackState, after last: PlaybackState, reason: RateChange.Reason
    ) -> [Event] {
        var notices: [Event] = []
        if state.rate != last.rate {
            notices.append(.rateChanged(RateChange(itemID: state.item?.id, rate: state.rate, reason: reason)))
        }
        guard let item = state.item else { return notices }
        let isSame = item.id == last.item?.id
        if state.readyForDisplay, !isSame || !last.readyForDisplay { notices.append(.readyForDisplay(itemID: item.id)) }
        let (new, old) = (item.selectedTracks, last.item?.selectedTracks ?? [])
        if isSame, !old.isEmpty, item.status == .readyToPlay, new != old {
            notices.append(.selectionChanged(itemID: item.id))
        }
        return notices
    }

    /// Whether a state says more than another one, figures and the passing of time aside.
    static func isNews(_ state: PlaybackState, after last: PlaybackState) -> Bool {
        let (new, old) = (state.timeline, last.timeline)
        let offset = new.position - old.position(at: new.hostTime)
        if new.effectiveRate != old.effectiveRate || abs(offset) > positionTolerance { return true }
        return state.withoutFigures != last.withoutFigures
    }
}

extension ItemState {
    fileprivate var selectedTracks: Set<String> {
        // One that has failed plays none, which nobody chose.
        guard status == .readyToPlay else { return [] }
        guard let groups = mediaSelectionGroups else { return Set(tracks.filter(\.selected).map(\.id)) }
        return Set(groups.compactMap(\.selected))
    }
}

extension PlaybackState {
    fileprivate var withoutFigures: PlaybackState {
        var state = self
        state.timeline = Timeline(position: 0, hostTime: HostTime(nanoseconds: 0), effectiveRate: 0)
        state.statistics = PlaybackStatistics()
        state.item?.loadedTimeRanges = []
        state.item?.likelyToKeepUp = false
        state.item?.bufferFull = false
        state.item?.bufferEmpty = false
        return state
    }
}
