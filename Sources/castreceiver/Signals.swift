import Glibc
import Threads

/// The signals of the process: those that ask it to end become calls of a function.
enum Signals {
    /// Keeps signals from ending the process, in this thread and all it starts from now on: neither those that ask it to
    /// end nor a peer that hangs up.
    static func hold() {
        signal(SIGPIPE, SIG_IGN)
        EndSignals.hold()
    }

    /// Calls `body`, on a thread of its own, when first asked to end; at the second time the process ends at once.
    static func whenAsked(_ body: @escaping @Sendable () -> Void) {
        OwnThread.start("signals") {
            _ = EndSignals.next()
            body()
            _ = EndSignals.next()
            _exit(1)
        }
    }
}
