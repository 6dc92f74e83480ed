internal import Casting
internal import Threads

/// A thread of the player's own, for work that blocks, which can be waited for.
final class PlayerThread: Sendable {
    private let finished: Monitor<Bool>

    /// Starts a thread. Its name, at most 15 bytes, is what debuggers and `top` show.
    init(name: String, body: @escaping @Sendable () -> Void) {
        let finished = Monitor(false)
        self.finished = finished
        let isStarted = OwnThread.start(name) {
            body()
            finished.withLock { $0 = true }
            finished.signal()
        }
        precondition(isStarted, "no more threads")
    }

    /// Blocks until the thread's work is done, at most so many seconds.
    /// - Returns: whether it is.
    @discardableResult
    func join(within seconds: Double) -> Bool {
        let deadline = HostTime.now.advanced(by: seconds)
        return finished.wait { isFinished in
            if isFinished { return .done(true) }
            return HostTime.now >= deadline ? .done(false) : .wait(until: deadline)
        }
    }
}
