public import Casting
import Dispatch
import Synchronization

/// A way to end blocking calls from another thread, once and for good.
///
/// Hand one to a `Demuxer`; `cancel()` makes its blocked call throw `operationCancelled` within 100 ms, and every later
/// one at once.
public final class Cancellation: Sendable {
    private struct State {
        /// Why it ended; nil while it has not.
        var reason: CastError?
        var deadline: HostTime?
        var hooks: [Int: @Sendable () -> Void] = [:]
        var nextHook = 0
    }

    private let state = Mutex(State())

    /// Not cancelled yet.
    ///
    /// - Parameter timeout: seconds from now after which what heeds this ends with `timedOut`; nil for never.
    public init(timeout: Double? = nil) {
        guard let timeout else { return }
        postpone(by: timeout)
    }

    /// Has it time out that many seconds from now, instead of when it would have.
    func postpone(by seconds: Double) {
        let deadline = HostTime.now.advanced(by: max(0, seconds))
        state.withLock { $0.deadline = deadline }
        // Not on the cooperative pool: that may be busy, and this must not wait for it.
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, seconds)) { [weak self] in
            guard let self, self.state.withLock({ $0.deadline }) == deadline else { return }
            self.end(.timedOut)
        }
    }

    /// Whether `cancel()` was called or the time is over.
    public var isCancelled: Bool { reason != nil }

    /// What an operation throws that was ended by this; nil while nothing ends it.
    public var reason: CastError? { state.withLock { $0.reason } }

    /// Ends what heeds this.
    public func cancel() { end(.cancelled) }

    /// Ends what heeds this, with an error of one's choice. Only the first reason counts.
    func end(_ reason: CastError) {
        let hooks = state.withLock { state -> [@Sendable () -> Void] in
            guard state.reason == nil else { return [] }
            state.reason = reason
            defer { state.hooks = [:] }
            return Array(state.hooks.values)
        }
        for hook in hooks { hook() }
    }

    /// Has `hook` called once when this ends, on the thread that ends it; at once if that has happened already.
    ///
    /// - Parameter hook: must be quick.
    /// - Returns: what to give to `removeHook`.
    public func addHook(_ hook: @escaping @Sendable () -> Void) -> Int {
        let number: Int? = state.withLock { state in
            guard state.reason == nil else { return nil }
            state.nextHook += 1
            state.hooks[state.nextHook] = hook
            return state.nextHook
        }
        if let number { return number }
        hook()
        return 0
    }

    /// Takes a hook back. It may be running on another thread at this moment.
    public func removeHook(_ number: Int) {
        state.withLock { _ = $0.hooks.removeValue(forKey: number) }
    }

    /// Throws the reason, if it has ended.
    func check() throws(CastError) {
        if let reason { throw reason }
    }
}
