import CFFmpeg
import Synchronization

/// Where FFmpeg's own messages go.
public enum MediaLog {
    /// How much a message matters.
    public enum Level: Int, Comparable, Sendable {
        /// Something failed.
        case error
        /// Something is not as it should be.
        case warning
        /// What is being done.
        case info

        /// Whether `left` matters more than `right`.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// Sends messages that matter as much as `level` or more to `sink`, from any thread; nil for silence, which is the
    /// default.
    ///
    /// Messages can hold addresses of media with everything in them: the sink decides what may be written down.
    public static func set(level: Level = .warning, sink: (@Sendable (Level, String) -> Void)?) {
        settings.withLock { $0 = Settings(level: level, sink: sink) }
        takeOver()
    }

    /// Has FFmpeg's messages come here instead of to standard error. To be called before anything else of FFmpeg's.
    static func takeOver() { _ = once }

    private static let once: Void = av_log_set_callback(logLine)
}

private struct Settings {
    var level = MediaLog.Level.warning
    var sink: (@Sendable (MediaLog.Level, String) -> Void)?
}

private let settings = Mutex(Settings())

// va_list is a pointer on some machines and a structure on others.
#if arch(arm64)
    private func logLine(
        object: UnsafeMutableRawPointer?, level: Int32, format: UnsafePointer<CChar>?, arguments: CVaListPointer
    ) {
        log(object, level, format, arguments)
    }
#else
    private func logLine(
        object: UnsafeMutableRawPointer?, level: Int32, format: UnsafePointer<CChar>?, arguments: CVaListPointer?
    ) {
        if let arguments { log(object, level, format, arguments) }
    }
#endif

private func log(
    _ object: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>?, _ arguments: CVaListPointer
) {
    guard level <= AV_LOG_INFO, let format else { return }
    let weight: MediaLog.Level = level <= AV_LOG_ERROR ? .error : level <= AV_LOG_WARNING ? .warning : .info
    let current = settings.withLock { $0 }
    guard let sink = current.sink, weight <= current.level else { return }
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { line in
        var prefix: Int32 = 1
        guard let start = line.baseAddress else { return "" }
        cff_format_log(object, level, format, arguments, start, Int32(line.count), &prefix)
        return String(cString: start)
    }
    sink(weight, String(text.prefix { $0 != "\n" }))
}
