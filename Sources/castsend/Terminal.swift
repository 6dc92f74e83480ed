import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// What castsend needs to know of the terminal, and does with it.
enum Terminal {
    /// Whether standard output is a terminal on which a line can be drawn again.
    static let canRedraw = isatty(STDOUT_FILENO) == 1 && !["", "dumb"].contains(variable("TERM") ?? "")
    /// Whether somebody can be asked.
    static let canAsk = canRedraw && isatty(STDIN_FILENO) == 1
    /// Whether only ASCII is safe to print.
    static let isASCII: Bool = {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
        return !["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    }()

    /// Columns of the terminal now.
    static var width: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// A variable of the environment.
    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

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
        var thread = pthread_t()
        pthread_create(&thread, nil, readKeys, Unmanaged.passRetained(self).toOpaque())
        pthread_detach(thread)
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

    fileprivate func run() {
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

/// A file-level function, as C calls it from a thread of its own.
private func readKeys(_ reader: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let reader { Unmanaged<KeyReader>.fromOpaque(reader).takeRetainedValue().run() }
    return nil
}
