import Glibc
import Synchronization

/// One open event stream: takes events from an async sequence to a connection that sleeps in between.
final class EventStream: Sendable {
    /// What the connection is to do next.
    enum Piece: Equatable {
        case bytes(Int)
        case asleep
        case end
        case broken
    }

    private struct State {
        var unsent: [UInt8] = []
        var isEnded = false
        var isBroken = false
        var isQuiet = true
        var pump: Task<Void, Never>?
    }

    private let connection: ServerConnection
    private let key: SuspensionGate.Key
    private let gate: SuspensionGate
    private let limit: Int
    private let streams: EventStreams
    private let state = Mutex(State())

    /// - Parameter limit: the most bytes kept for a peer that does not keep up.
    init(
        connection: ServerConnection, key: SuspensionGate.Key, gate: SuspensionGate, limit: Int, streams: EventStreams
    ) {
        self.connection = connection
        self.key = key
        self.gate = gate
        self.limit = limit
        self.streams = streams
    }

    /// Begins to take events.
    func start(_ events: AsyncStream<ServerSentEvent>) {
        connection.setStreaming(true)
        let pump = Task.detached { [self] in
            for await event in events where !enqueue(Array(event.encoded.utf8)) { break }
            end()
        }
        state.withLock { $0.pump = pump }
    }

    /// Adds bytes for the peer; false when nobody will read them any more.
    private func enqueue(_ bytes: [UInt8]) -> Bool {
        let goesOn = state.withLock { state in
            guard !state.isBroken, !state.isEnded else { return false }
            state.isQuiet = false
            state.unsent += bytes
            if state.unsent.count > limit {
                state.isBroken = true
                state.unsent = []
            }
            return !state.isBroken
        }
        gate.resume(key)
        return goesOn
    }

    /// Sends a comment if nothing else was sent since the last call.
    func beat() {
        let wasQuiet = state.withLock { state in
            defer { state.isQuiet = true }
            return state.isQuiet
        }
        if wasQuiet { _ = enqueue(Array(ServerSentEvent.heartbeat.encoded.utf8)) }
    }

    /// No more events come.
    private func end() {
        state.withLock { $0.isEnded = true }
        gate.resume(key)
    }

    /// The connection is gone: the events' continuation is terminated.
    func close() {
        let pump = state.withLock { state in
            state.isBroken = true
            state.unsent = []
            defer { state.pump = nil }
            return state.pump
        }
        pump?.cancel()
        streams.remove(self)
        connection.setStreaming(false)
    }

    /// Gives the connection's next bytes, or puts it to sleep. Only on the server's thread.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Piece {
        state.withLock { state in
            guard !state.isBroken, !connection.peerHasLeft else { return .broken }
            if !state.unsent.isEmpty {
                let count = min(buffer.count, state.unsent.count)
                buffer.copyBytes(from: state.unsent[..<count])
                state.unsent.removeFirst(count)
                return .bytes(count)
            }
            // Under the lock, so that no event can come between the look and the sleep.
            return !state.isEnded && gate.suspend(key) ? .asleep : .end
        }
    }
}
