import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The signals that ask the program to end. The main thread does nothing but wait for them, so that no code is ever
/// interrupted by one.
enum Signals {
    private static let handler = Mutex<(@Sendable (Int32) -> Void)?>(nil)

    /// Keeps the signals for `wait`. To be called before any other thread is begun, so that all leave them alone.
    static func hold() {
        var set = heldSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Has signals handled by `action`, on the main thread; with nil, they end the program at once.
    static func handle(_ action: (@Sendable (Int32) -> Void)?) {
        handler.withLock { $0 = action }
    }

    /// Waits for signals, for ever.
    static func wait() -> Never {
        var set = heldSet()
        while true {
            var signal: Int32 = 0
            guard sigwait(&set, &signal) == 0 else { continue }
            guard let action = handler.withLock({ $0 }) else { _exit(128 + signal) }
            action(signal)
        }
    }

    private static func heldSet() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
        return set
    }
}
