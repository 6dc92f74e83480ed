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
    /// The receiver's monotonic instant at which this copy was sent; set on the wire only, nil within a machine.
    ///
    /// The age of `position` on arrival is `sentAt` less `hostTime`, and the way of the network.
    public var sentAt: HostTime?

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

    /// The same line on the clock of the machine that got it at `arrival`: to be used before `position(at:)` where the
    /// timeline came over the network. The network's delay is taken as nothing.
    public func arrived(at arrival: HostTime) -> Timeline {
        guard let sentAt else { return self }
        return Timeline(
            position: position, hostTime: arrival.advanced(by: -sentAt.seconds(since: hostTime)),
            effectiveRate: effectiveRate)
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
