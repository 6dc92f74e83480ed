/// Where FFmpeg's own messages go.
public enum MediaLog {
    /// How much it matters.
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

    /// Sends messages up to `level` to `sink`, from any thread; nil for silence, which is the default.
    public static func set(level: Level = .warning, sink: (@Sendable (Level, String) -> Void)?) {}
}
