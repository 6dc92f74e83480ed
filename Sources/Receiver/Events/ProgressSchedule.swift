public import Casting

/// When a listener is due a progress event, after AVPlayer's periodic time observer: each time playback crosses a
/// multiple of the interval of item time (so twice as often at double rate), and whenever it starts, stops or jumps.
/// Never while it stands still.
public struct ProgressSchedule: Hashable, Sendable {
    /// The shortest time between two ticks, in seconds of the clock; ticks between are left out.
    public static let shortestGap = 0.04
    /// The intervals that may be asked for, in seconds of item time.
    public static let intervals = 0.1...60.0

    /// Seconds of item time from tick to tick.
    public let interval: Double
    /// When the next tick is due; nil while playback stands still.
    public private(set) var nextTick: HostTime?
    private var timeline: Timeline?

    /// A schedule that ticks at multiples of `interval` seconds of item time.
    public init(interval: Double) {
        self.interval = min(max(interval, Self.intervals.lowerBound), Self.intervals.upperBound)
    }

    /// Takes in where playback is now.
    ///
    /// - Returns: whether a progress event is due at once, because playback started or stopped.
    public mutating func update(_ new: Timeline, at now: HostTime) -> Bool {
        let wasMoving = (timeline?.effectiveRate ?? 0) != 0
        let moves = new.effectiveRate != 0
        timeline = new
        schedule(from: now)
        return wasMoving != moves
    }

    /// Takes in that the progress event of a tick, a start, a stop or a jump has been sent at `now`, with the position
    /// by then.
    public mutating func ticked(_ new: Timeline, at now: HostTime) {
        timeline = new
        schedule(from: now)
    }

    private mutating func schedule(from now: HostTime) {
        guard let timeline, timeline.effectiveRate != 0 else {
            nextTick = nil
            return
        }
        let position = timeline.position(at: now)
        let rate = timeline.effectiveRate
        // A tick that comes a hair early must not count the same multiple again.
        let slack = Self.shortestGap / 2 * abs(rate)
        let multiple =
            rate > 0
            ? ((position + slack) / interval).rounded(.down) + 1 : ((position - slack) / interval).rounded(.up) - 1
        nextTick = now.advanced(by: max((multiple * interval - position) / rate, Self.shortestGap))
    }
}
