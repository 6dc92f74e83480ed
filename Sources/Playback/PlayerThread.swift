internal import Casting
internal import Threads

/// A thread of the player's own, for work that blocks, which can be waited for.
final class PlayerThread: Sendable {
    private let finished: Monitor<Bool>

    /// Starts a thread. Its name, at most 15 bytes, is what debuggers and `top` show.
    ///
    /// - Parameter starter: what starts threads; a test has another.
    /// - Throws: `receiverOverloaded` where the system has no more threads to give.
    init(
        name: String, starter: (String, @escaping @Sendable () -> Void) -> Bool = { OwnThread.start($0, $1) },
        body: @escaping @Sendable () -> Void
    ) throws(CastError) {
        let finished = Monitor(false)
        self.finished = finished
        let isStarted = starter(name) {
            body()
            finished.withLock { $0 = true }
            finished.signal()
        }
        guard isStarted else { throw .noThreads }
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

extension CastError {
    /// The system has no more threads to give.
    static let noThreads = CastError(
        .receiverOverloaded, "The receiver has no threads left to play with.",
        hint: "Close other programs on it, or restart it.")
}
