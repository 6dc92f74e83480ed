import Synchronization

/// The event streams open on a server: how many there may be, and the heartbeat of all of them.
final class EventStreams: Sendable {
    private struct State {
        var streams: [ObjectIdentifier: EventStream] = [:]
        var beat: Task<Void, Never>?
    }

    private let limit: Int
    private let heartbeat: Duration
    private let state = Mutex(State())

    /// - Parameter heartbeat: the longest a stream stays quiet; zero for as long as it likes.
    init(limit: Int, heartbeat: Duration) {
        self.limit = limit
        self.heartbeat = heartbeat
    }

    /// Takes a stream in; false where there are too many.
    func add(_ stream: EventStream) -> Bool {
        state.withLock { state in
            guard state.streams.count < limit else { return false }
            state.streams[ObjectIdentifier(stream)] = stream
            // One timer for all, and none while no stream is open.
            if state.beat == nil, heartbeat > .zero { state.beat = Task.detached { [self] in await beat() } }
            return true
        }
    }

    /// A stream is closed.
    func remove(_ stream: EventStream) {
        state.withLock { state in
            state.streams.removeValue(forKey: ObjectIdentifier(stream))
            guard state.streams.isEmpty else { return }
            state.beat?.cancel()
            state.beat = nil
        }
    }

    private func beat() async {
        // Twice as often, as a stream counts as quiet only where nothing was sent between two beats.
        while (try? await Task.sleep(for: heartbeat / 2)) != nil {
            for stream in state.withLock({ Array($0.streams.values) }) { stream.beat() }
        }
    }
}
