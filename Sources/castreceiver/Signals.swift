import Glibc

/// SIGTERM, SIGINT and SIGHUP as calls of a function, on a thread of their own.
enum Signals {
    private static let asking = [SIGTERM, SIGINT, SIGHUP]

    /// Keeps the signals from ending the process, in this thread and all it starts from now on. A peer that hangs up
    /// shall not end it either.
    static func hold() {
        signal(SIGPIPE, SIG_IGN)
        var set = self.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `body` at the first signal; a second one ends the process at once.
    static func whenAsked(_ body: @escaping @Sendable () -> Void) {
        Threads.start("signals") {
            var set = self.set
            var number: Int32 = 0
            sigwait(&set, &number)
            body()
            sigwait(&set, &number)
            _exit(1)
        }
    }

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in asking { sigaddset(&set, number) }
        return set
    }
}
