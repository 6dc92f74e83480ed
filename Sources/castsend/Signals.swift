import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The signals that ask the program to end. They go to one thread that waits for them, so that no code is ever
/// interrupted by one.
enum Signals {
    private static let handler = Mutex<(@Sendable (Int32) -> Void)?>(nil)

    /// Begins to wait for the signals. To be called before any other thread is begun, so that all leave them alone.
    static func begin() {
        var set = handledSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
        var thread = pthread_t()
        pthread_create(&thread, nil, waitForSignals, nil)
    }

    /// Has signals handled by `action`, on the waiting thread; with nil, they end the program at once.
    static func handle(_ action: (@Sendable (Int32) -> Void)?) {
        handler.withLock { $0 = action }
    }

    fileprivate static func handledSet() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
        return set
    }

    fileprivate static func received(_ signal: Int32) {
        if let action = handler.withLock({ $0 }) { return action(signal) }
        _exit(128 + signal)
    }
}

/// A file-level function, as C calls it from a thread of its own.
private func waitForSignals(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    var set = Signals.handledSet()
    while true {
        var signal: Int32 = 0
        if sigwait(&set, &signal) == 0 { Signals.received(signal) }
    }
}
