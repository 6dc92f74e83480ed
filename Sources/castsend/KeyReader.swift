import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#endif

/// Single keys from the terminal, without Return. The terminal is as before when the reader is stopped.
final class KeyReader: Sendable {
    private let before: Mutex<termios?>
    /// A pipe whose closed end wakes the thread up.
    private let wake: (read: Int32, write: Int32)
    private let report: @Sendable (UInt8?) -> Void

    /// Begins to read; `report` gets each key on a thread of its own, nil at the end of input.
    init(_ report: @escaping @Sendable (UInt8?) -> Void) {
        var settings = termios()
        let isTerminal = tcgetattr(STDIN_FILENO, &settings) == 0
        before = Mutex(isTerminal ? settings : nil)
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        wake = (ends[0], ends[1])
        self.report = report
        settings.c_lflag &= ~UInt32(ICANON | ECHO)
        if isTerminal { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
        OwnThread.start("keys") { [self] in run() }
    }

    deinit { close(wake.read) }

    /// Stops reading and puts the terminal back.
    func stop() {
        before.withLock { settings in
            guard var old = settings else { return }
            tcsetattr(STDIN_FILENO, TCSANOW, &old)
            settings = nil
            close(wake.write)
        }
    }

    private func run() {
        var files = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&files, 2, -1) >= 0 || errno == EINTR else { return }
            if files[1].revents != 0 { return }
            guard files[0].revents != 0 else { continue }
            var key: UInt8 = 0
            guard read(STDIN_FILENO, &key, 1) == 1 else { return report(nil) }
            report(key)
        }
    }
}
