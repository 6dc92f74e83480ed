import CMicroHTTPD
import Synchronization

/// Which connections wait for an answer or for events, so that a stopping server can wake them all.
///
/// libmicrohttpd aborts the program when it is stopped with a connection asleep, hence the one lock around both.
final class SuspensionGate: Sendable {
    /// A connection by its address.
    typealias Key = UInt

    private struct State {
        var asleep: Set<Key> = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Puts a connection to sleep; false when the server is stopping. Only on the server's thread.
    func suspend(_ key: Key) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.asleep.insert(key)
            MHD_suspend_connection(OpaquePointer(bitPattern: key))
            return true
        }
    }

    /// Wakes a connection, if it sleeps. From any thread.
    func resume(_ key: Key) {
        state.withLock { state in
            guard state.asleep.remove(key) != nil else { return }
            MHD_resume_connection(OpaquePointer(bitPattern: key))
        }
    }

    /// Wakes all of them, and lets none sleep again.
    func close() {
        state.withLock { state in
            state.isClosed = true
            for key in state.asleep { MHD_resume_connection(OpaquePointer(bitPattern: key)) }
            state.asleep.removeAll()
        }
    }

    /// Whether the server is stopping.
    var isClosed: Bool { state.withLock(\.isClosed) }
}
