/// Where playback is, as a straight line: a position that was true at an instant, and how fast it moves since.
///
/// Positions are seconds of the item's own time, 0 at its first frame. A peer draws a moving position from one
/// timeline, without polling, until it gets the next.
public struct Timeline: Codable, Hashable, Sendable {
    /// Seconds of item time at `hostTime`: the time of the picture then on the screen.
    public var position: Double
    /// The receiver's monotonic instant at which `position` was true.
    public var hostTime: HostTime
    /// Seconds of item time a second: 0 while paused or waiting.
    public var effectiveRate: Double

    /// A timeline through `position` at `hostTime`.
    public init(position: Double, hostTime: HostTime, effectiveRate: Double) {
        self.position = position
        self.hostTime = hostTime
        self.effectiveRate = effectiveRate
    }

    /// The position at another instant.
    public func position(at instant: HostTime) -> Double {
        position + effectiveRate * instant.seconds(since: hostTime)
    }
}

/// A stretch of item time, in seconds.
public struct TimeRange: Codable, Hashable, Sendable {
    /// The first instant of the range.
    public var start: Double
    /// The first instant after the range; at least `start`.
    public var end: Double

    /// The range from `start` to `end`.
    public init(start: Double, end: Double) {
        self.start = start
        self.end = max(start, end)
    }

    /// Whether `time` lies in the range, both ends included.
    public func contains(_ time: Double) -> Bool { start <= time && time <= end }

    /// Seconds from start to end.
    public var duration: Double { end - start }
}
