public import Casting
import Synchronization

/// A way to end blocking calls from another thread, once and for good.
///
/// Hand one to a `Demuxer`; `cancel()` makes its blocked call throw `operationCancelled` within 100 ms, and every later
/// one at once.
public final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var hooks: [Int: @Sendable () -> Void] = [:]
        var nextHook = 0
    }

    /// When the operations are to end by themselves with `timedOut`; nil for never.
    public let deadline: HostTime?
    private let state = Mutex(State())

    /// Not cancelled yet.
    public init(deadline: HostTime? = nil) {
        self.deadline = deadline
    }

    /// Whether `cancel()` was called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends what heeds this. Runs the hooks, on the caller's thread, the first time it is called.
    public func cancel() {
        let hooks = state.withLock { state -> [@Sendable () -> Void] in
            state.isCancelled = true
            defer { state.hooks = [:] }
            return Array(state.hooks.values)
        }
        for hook in hooks { hook() }
    }

    /// Has `hook` called once when cancelled; at once if that has happened already.
    ///
    /// - Parameter hook: must be quick and must not call back into this object.
    /// - Returns: what to give to `removeHook`.
    public func addHook(_ hook: @escaping @Sendable () -> Void) -> Int {
        let number: Int? = state.withLock { state in
            guard !state.isCancelled else { return nil }
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
}
