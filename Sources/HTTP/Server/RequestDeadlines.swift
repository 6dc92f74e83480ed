import Synchronization

/// Closes connections whose request does not arrive in time.
///
/// libmicrohttpd's own timeout is for inactivity alone: a byte each second would hold a connection for ever.
final class RequestDeadlines: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: ServerConnection] = [:]
        var isSweeping = false
    }

    private let time: Duration
    private let lastWord: [UInt8]
    private let state = Mutex(State())

    /// - Parameter lastWord: the answer to a request that came too late.
    init(time: Duration, lastWord: [UInt8]) {
        self.time = time
        self.lastWord = lastWord
    }

    /// Gives a connection the whole time from now.
    func arm(_ connection: ServerConnection) {
        connection.setDeadline(.now + time)
        let begins = state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = connection
            defer { state.isSweeping = true }
            return !state.isSweeping
        }
        if begins { Task.detached { [self] in await sweep() } }
    }

    /// The request is there, or the connection gone.
    func disarm(_ connection: ServerConnection) {
        connection.setDeadline(nil)
        state.withLock { state in
            _ = state.connections.removeValue(forKey: ObjectIdentifier(connection))
        }
    }

    /// Looks when the earliest deadline comes, as long as there is one.
    private func sweep() async {
        while let earliest = earliest() {
            // Deadlines close to one another are dealt with together.
            try? await Task.sleep(until: max(earliest, .now + .milliseconds(50)), clock: .continuous)
            let now = ContinuousClock.now
            for connection in state.withLock({ Array($0.connections.values) }) {
                connection.expire(now: now, lastWord: lastWord)
                if connection.deadline == nil { forget(connection) }
            }
        }
    }

    private func earliest() -> ContinuousClock.Instant? {
        state.withLock { state in
            let earliest = state.connections.values.compactMap(\.deadline).min()
            if earliest == nil { state.isSweeping = false }
            return earliest
        }
    }

    private func forget(_ connection: ServerConnection) {
        state.withLock { state in
            // It may have been armed again meanwhile.
            guard connection.deadline == nil else { return }
            state.connections.removeValue(forKey: ObjectIdentifier(connection))
        }
    }
}
