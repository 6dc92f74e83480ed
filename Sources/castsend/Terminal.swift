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
