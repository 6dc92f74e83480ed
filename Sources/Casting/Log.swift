import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// What a program tells about itself: one line for each event, on standard error or wherever `sink` puts it.
///
/// Lines never carry a token, a cookie or the query of a URL; whoever writes one sees to that (`Redaction` helps).
public struct Log: Sendable {
    /// How much an event matters; each level includes those before it.
    public enum Level: String, Codable, CaseIterable, Comparable, Sendable {
        /// Something does not work.
        case error
        /// Something is not as it should be, and goes on.
        case warning
        /// What an owner wants to know.
        case info
        /// What a developer wants to know.
        case debug

        /// Whether `left` matters more than `right`.
        public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The least important level that is still written.
    public let level: Level
    private let sink: @Sendable (String) -> Void

    /// A log of everything up to `level`.
    ///
    /// - Parameter sink: takes one finished line, without its end; called from any thread.
    public init(level: Level, sink: @escaping @Sendable (String) -> Void = Log.standardError) {
        self.level = level
        self.sink = sink
    }

    /// A log that keeps silent.
    public static let silent = Log(level: .error, sink: { _ in })

    /// Something does not work.
    public func error(_ message: @autoclosure () -> String) { write(.error, message) }
    /// Something is not as it should be, and goes on.
    public func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    /// What an owner wants to know.
    public func info(_ message: @autoclosure () -> String) { write(.info, message) }
    /// What a developer wants to know.
    public func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

    private func write(_ level: Level, _ message: () -> String) {
        guard level <= self.level else { return }
        sink("\(Date.now.formatted(Self.timestamp)) \(level.rawValue): \(shown(message()))")
    }

    private static let timestamp = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Writes a line to standard error, in one piece.
    public static let standardError: @Sendable (String) -> Void = { line in
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
