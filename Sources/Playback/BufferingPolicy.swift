internal import Casting

/// Decides whether what is buffered is enough to play on, after AVPlayer's automaticallyWaitsToMinimizeStalling.
struct BufferingPolicy: Sendable {
    /// What is known of the buffer at one instant.
    struct Level: Equatable, Sendable {
        /// Seconds of item time at hand from the position on, in the stream that has least.
        var ahead: Double
        /// Seconds of item time from the position to the end; nil when unknown, or without end.
        var remaining: Double?
        /// Whether all of the media has been read.
        var endRead = false
        /// Whether the buffer takes no more.
        var full = false
        /// Bytes a second that the source delivers; nil until measured.
        var throughput: Double?
        /// Bytes that a second of item time takes on average; nil when unknown.
        var byteRate: Double?
        /// The rate to play at.
        var rate = 1.0
    }

    /// The shortest wait after a stall is this much media, and twice as much after each further one.
    static let firstRefill = 1.0
    /// The longest.
    static let longestRefill = 8.0
    /// Seconds without a stall after which earlier ones are forgotten.
    static let memory = 60.0

    private var stalls = 0
    private var lastStall: HostTime?

    /// A policy that has seen no stall.
    init() {}

    /// Notes that playback ran dry.
    mutating func noteStall(at instant: HostTime) {
        if let lastStall, instant.seconds(since: lastStall) > Self.memory { stalls = 0 }
        stalls += 1
        lastStall = instant
    }

    /// Seconds that must be at hand for playback to reach the end without running dry: what the source will be short of
    /// by then.
    static func shortfall(_ level: Level) -> Double {
        guard let remaining = level.remaining, let throughput = level.throughput, let byteRate = level.byteRate,
            byteRate > 0
        else { return 0 }
        return remaining * max(0, 1 - throughput / (byteRate * level.rate))
    }

    /// Seconds at hand with which playback starts: the shortfall and a little more, as a source that is too slow is
    /// never slow as evenly as its average.
    private static func needed(_ level: Level) -> Double {
        let shortfall = shortfall(level)
        return shortfall > 0 ? shortfall * 1.05 + 0.25 : 0
    }

    /// What is to become of a wish to play.
    enum Verdict: Equatable {
        /// Play.
        case play
        /// It is not known yet whether the buffer will do.
        case evaluate
        /// Playback would run dry: wait for more.
        case wait
    }

    /// Whether playback may start, or go on after it ran dry.
    ///
    /// - Parameter afterStall: whether it ran dry; then it waits for a little more than the first instant, so that it
    ///   does not stop again at once.
    func verdict(_ level: Level, afterStall: Bool) -> Verdict {
        if level.full || level.endRead { return .play }
        let remaining = level.remaining ?? .infinity
        guard !afterStall else {
            let refill = min(Self.firstRefill * Double(1 << min(max(stalls - 1, 0), 8)), Self.longestRefill)
            return level.ahead >= min(max(Self.needed(level), refill), remaining) ? .play : .wait
        }
        guard level.throughput != nil, level.byteRate != nil else {
            return level.ahead >= min(Self.firstRefill, remaining) ? .play : .evaluate
        }
        return level.ahead >= min(Self.needed(level), remaining) ? .play : .wait
    }

    /// Whether playback is expected to reach the end without running dry.
    func isLikelyToKeepUp(_ level: Level) -> Bool {
        if level.endRead { return true }
        guard level.throughput != nil, level.byteRate != nil else {
            return level.full || level.ahead >= Self.firstRefill
        }
        return level.ahead > 0 && level.ahead >= Self.shortfall(level)
    }

    /// Whether playback has to stop and wait: the source has nothing to give, and an output has nothing left.
    static func hasRunDry(sourceDry: Bool, outputDry: Bool) -> Bool { sourceDry && outputDry }
}
