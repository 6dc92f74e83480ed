#if canImport(Glibc)
    internal import Glibc
#endif

/// The signals by which somebody asks a program to end: SIGINT, SIGTERM and SIGHUP.
///
/// One thread waits for them, so that no code is ever interrupted by one.
public enum EndSignals {
    /// Keeps them for `next`, in this thread and in all that it begins from now on: to be called before any is.
    public static func hold() {
        var signals = set
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Blocks until one of them comes, without bound.
    ///
    /// - Returns: its number.
    public static func next() -> Int32 {
        var signals = set
        var number: Int32 = 0
        while sigwait(&signals, &number) != 0 {}
        return number
    }

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, number) }
        return set
    }
}
