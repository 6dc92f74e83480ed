import Casting
import Playback
import Synchronization

/// Where a session's events are published and heard, by any number of listeners, each at its own pace.
///
/// Listeners read from one log, so a slow one costs no memory: once it falls behind what the log keeps, it gets the
/// complete state and goes on from there.
final class EventHub: Sendable {
    private struct Content {
        var log: EventLog
        var state: PlaybackState
        var isFinished = false
        var signals: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextSignal = 0
    }

    /// What a listener at some place in the log finds.
    enum Finding {
        case entry(EventLog.Entry)
        case lost(PlaybackState, lastID: Int)
        case nothingYet
        case end
    }

    private let content: Mutex<Content>

    init(state: PlaybackState, log: EventLog = EventLog(limit: 1_024)) {
        content = Mutex(Content(log: log, state: state))
    }

    func publish(_ event: Event) {
        let signals = content.withLock { content -> [AsyncStream<Void>.Continuation] in
            guard !content.isFinished else { return [] }
            content.log.append(event)
            if case .state(let state) = event { content.state = state }
            return Array(content.signals.values)
        }
        for signal in signals { signal.yield() }
    }

    /// Publishes the last event; listeners end after it.
    func finish(_ event: Event) {
        publish(event)
        let signals = content.withLock { content -> [AsyncStream<Void>.Continuation] in
            content.isFinished = true
            return Array(content.signals.values)
        }
        for signal in signals { signal.yield() }
    }

    /// The state as the latest event said it, and that event's number.
    var latest: (state: PlaybackState, lastID: Int) {
        content.withLock { ($0.state, $0.log.lastID) }
    }

    var listenerCount: Int { content.withLock { $0.signals.count } }

    func reaches(after id: Int) -> Bool { content.withLock { $0.log.reaches(after: id) } }

    func find(after id: Int) -> Finding {
        content.withLock { content in
            if let entry = content.log.entry(after: id) { return .entry(entry) }
            // Whoever fell behind still hears the last event of a finished session.
            let last = content.log.lastID
            if id != last { return .lost(content.state, lastID: content.isFinished ? last - 1 : last) }
            return content.isFinished ? .end : .nothingYet
        }
    }

    /// A stream that yields whenever there may be something new; at most one signal waits in it.
    func signals() -> (AsyncStream<Void>, AsyncStream<Void>.Continuation) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let key = content.withLock { content in
            content.nextSignal += 1
            content.signals[content.nextSignal] = continuation
            return content.nextSignal
        }
        continuation.onTermination = { [weak self] _ in
            self?.content.withLock { $0.signals[key] = nil }
        }
        return (stream, continuation)
    }
}

extension EventHub {
    /// A hub that only says how a session ended.
    convenience init(ending session: EndedSession) {
        self.init(state: PlaybackState(), log: EventLog(limit: 1, lastID: session.lastEventID - 1))
        finish(.routeLost(session.loss))
    }

    /// Waits until the player's events so far have been published here, as far as its state tells; at most a quarter of a
    /// second. So whoever has a command's answer and then looks at the events does not see an older state.
    func catchUp(with playback: any PlaybackControl) async {
        if Substance(latest.state) == Substance(playback.state) { return }
        let (stream, signal) = signals()
        let alarm = Task {
            try? await Task.sleep(for: .milliseconds(250))
            signal.finish()
        }
        defer { alarm.cancel() }
        var signals = stream.makeAsyncIterator()
        while Substance(latest.state) != Substance(playback.state), await signals.next() != nil {}
    }

    /// What commands change.
    private struct Substance: Hashable {
        var item: String?
        var status: ItemStatus?
        var control: TimeControlStatus
        var rates: [Double]
        var muted: Bool
        var queue: [String]
        var options: PlaybackOptions?

        init(_ state: PlaybackState) {
            item = state.item?.id
            status = state.item?.status
            control = state.timeControlStatus
            rates = [state.rate, state.defaultRate, state.volume]
            muted = state.muted
            queue = state.queue
            options = state.options
        }
    }
}
