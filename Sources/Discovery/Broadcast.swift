import Synchronization

/// A value that changes, and everybody who wants to know of it.
final class Broadcast<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var latest: Value
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
        var nextListener = 0
        var isFinished = false
    }

    private let state: Mutex<State>

    init(_ value: Value) { state = Mutex(State(latest: value)) }

    /// Tells everybody, unless it is what they know already.
    func send(_ value: Value) {
        state.withLock { state in
            guard value != state.latest, !state.isFinished else { return }
            state.latest = value
            for listener in state.listeners.values { listener.yield(value) }
        }
    }

    /// Tells everybody the last value there will be, and ends their streams.
    func finish(_ value: Value) {
        send(value)
        // Finishing calls the listener's end handler, which takes the lock.
        let listeners = state.withLock { state in
            state.isFinished = true
            return state.listeners.values
        }
        for listener in listeners { listener.finish() }
    }

    /// The value now and all later ones; of those not yet read the newest 64 are kept.
    var stream: AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(64))
        let isFinished = state.withLock { state in
            continuation.yield(state.latest)
            guard !state.isFinished else { return true }
            let number = state.nextListener
            state.nextListener += 1
            state.listeners[number] = continuation
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
            }
            return false
        }
        if isFinished { continuation.finish() }
        return stream
    }
}
