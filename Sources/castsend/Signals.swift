import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#endif

/// The signals that ask the program to end. The main thread does nothing but wait for them, so that no code is ever
/// interrupted by one.
enum Signals {
    private static let handler = Mutex<(@Sendable (Int32) -> Void)?>(nil)

    /// Keeps the signals for `wait`. To be called before any other thread is begun, so that all leave them alone.
    static func hold() {
        EndSignals.hold()
    }

    /// Has signals handled by `action`, on the main thread; with nil, they end the program at once.
    static func handle(_ action: (@Sendable (Int32) -> Void)?) {
        handler.withLock { $0 = action }
    }

    /// Waits for signals, for ever.
    static func wait() -> Never {
        while true {
            let signal = EndSignals.next()
            guard let action = handler.withLock({ $0 }) else { _exit(128 + signal) }
            action(signal)
        }
    }
}
