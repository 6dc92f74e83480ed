import Foundation
import Synchronization

/// The sockets of a server: each is closed once, and by number never touched again, whatever ends first.
///
/// Its threads keep it and not the server. A number that is shut down after it was closed belongs to somebody else by then.
final class OpenSockets: Sendable {
    private struct State {
        var listeners: Set<Int32> = []
        var connections: Set<Int32> = []
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Takes on a socket that listens; false, and it is closed, where everything has ended.
    func add(listener: Int32) -> Bool {
        state.withLock { state in
            guard !state.isStopped else {
                Glibc.close(listener)
                return false
            }
            state.listeners.insert(listener)
            return true
        }
    }

    /// Takes on a connection; nil, and it is closed, where everything has ended.
    ///
    /// - Returns: how many connections are open. One that the other side has closed is not, whether or not its thread has
    ///   noticed.
    func add(connection: Int32) -> Int? {
        state.withLock { state in
            guard !state.isStopped else {
                Glibc.close(connection)
                return nil
            }
            state.connections.insert(connection)
            return state.connections.count { !hasHungUp($0, within: 0) }
        }
    }

    /// Closes one.
    func close(_ socket: Int32) {
        state.withLock { state in
            guard state.listeners.remove(socket) != nil || state.connections.remove(socket) != nil else { return }
            Glibc.close(socket)
        }
    }

    /// Ends what all of them do; their threads close them.
    func shutDown() {
        state.withLock { state in
            for socket in state.listeners.union(state.connections) { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// As `shutDown`, and no more are taken on.
    func stop() {
        state.withLock { $0.isStopped = true }
        shutDown()
    }
}
