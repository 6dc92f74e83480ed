import Casting
import Synchronization

/// How many bytes came over the network, and how fast. May be asked from any thread.
public final class Traffic: Sendable {
    private struct State {
        var byteCount: Int64 = 0
        var rate: Double?
        var pendingBytes = 0.0
        var pendingSeconds = 0.0
    }

    private let state = Mutex(State())

    /// Bytes received so far, over all connections.
    public var byteCount: Int64 { state.withLock { $0.byteCount } }

    /// Bytes a second while something was being waited for, a mean over the last seconds; nil before it is known.
    public var bytesPerSecond: Double? { state.withLock { $0.rate } }

    init() {}

    /// Notes bytes received, and how long the reader waited for them.
    func record(bytes: Int, seconds: Double) {
        state.withLock { state in
            state.byteCount += Int64(bytes)
            state.pendingBytes += Double(bytes)
            state.pendingSeconds += seconds
            // A step's weight is the share of the last two seconds of waiting that it fills; short waits are gathered first.
            guard state.pendingSeconds >= 0.02 else { return }
            let rate = state.pendingBytes / state.pendingSeconds
            let weight = min(1, state.pendingSeconds / 2)
            state.rate = state.rate.map { $0 + weight * (rate - $0) } ?? rate
            state.pendingBytes = 0
            state.pendingSeconds = 0
        }
    }
}
