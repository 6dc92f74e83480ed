import Glibc
import Synchronization

/// A connection of a peer: its socket, and the time by which its next request must have arrived.
final class ServerConnection: Sendable {
    private struct State {
        var deadline: ContinuousClock.Instant?
        var isClosed = false
        /// Whether the peer may be told that its request came too late: never between requests.
        var awaitsAnswer = true
    }

    /// The other side's address.
    let peer: String
    /// Whether the other side had as many connections already as one may have.
    let isTooMany: Bool
    private let descriptor: Int32
    private let state = Mutex(State())

    init(descriptor: Int32, peer: String, isTooMany: Bool = false) {
        self.descriptor = descriptor
        self.peer = peer
        self.isTooMany = isTooMany
        // A peer that lost power must not hold its place for ever.
        set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 30)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
    }

    /// Sets or lifts the time by which the request must be there.
    func setDeadline(_ deadline: ContinuousClock.Instant?) {
        state.withLock { $0.deadline = deadline }
    }

    /// Notes that a request has begun, or that none is under way.
    func setAwaitsAnswer(_ awaits: Bool) {
        state.withLock { $0.awaitsAnswer = awaits }
    }

    /// The time by which the request must be there; nil for no matter when.
    var deadline: ContinuousClock.Instant? { state.withLock(\.deadline) }

    /// Ends the connection if its deadline has passed, with a last word where the peer waits for one.
    func expire(now: ContinuousClock.Instant, lastWord: [UInt8]) {
        state.withLock { state in
            guard let deadline = state.deadline, deadline <= now, !state.isClosed else { return }
            state.deadline = nil
            if state.awaitsAnswer {
                _ = send(descriptor, lastWord, lastWord.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// The socket is about to be closed; its number must not be used again.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.deadline = nil
        }
    }

    /// Prepares the socket for an event stream, or for requests again.
    ///
    /// A stream's peer that acknowledges nothing for half a minute is gone. A film's peer may pause as long as it likes.
    func setStreaming(_ streams: Bool) {
        state.withLock { state in
            guard !state.isClosed else { return }
            set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, streams ? 30_000 : 0)
            if streams { set(descriptor, SOL_SOCKET, SO_SNDBUF, 128 << 10) }
        }
    }

    /// Whether the other side has closed its end.
    var peerHasLeft: Bool {
        state.withLock { state in
            guard !state.isClosed else { return true }
            var poll = pollfd(fd: descriptor, events: pollPeerClosed, revents: 0)
            return Glibc.poll(&poll, 1, 0) > 0
        }
    }
}

/// POLLRDHUP, which the C library shows only to GNU sources.
private let pollPeerClosed: Int16 = 0x2000
