public import Casting

/// Which times of an item playback has come past, after AVPlayer's boundary time observer: only those traversed by
/// playing, never those jumped over.
///
/// Of each stretch that is played, the first instant does not count and the last one does.
public struct BoundarySchedule: Hashable, Sendable {
    /// The most times that may be asked for.
    public static let limit = 256
    /// Seconds by which two tellings of where playback is may differ and still be one movement.
    public static let slack = 0.5

    /// The times in ascending order, in seconds of item time.
    public let times: [Double]
    /// When the next time will be come past; nil while playback stands still, or no time is left.
    public private(set) var nextCrossing: HostTime?
    private var item: String?
    private var timeline: Timeline?
    /// The item time up to which crossings have been told; nil where there is nothing to cross from.
    private var told: Double?

    /// A schedule for some times, in any order.
    public init(times: [Double]) {
        self.times = Set(times.filter { $0.isFinite && $0 >= 0 }).sorted()
    }

    /// Takes in where playback of which item is now; nil for none.
    ///
    /// - Returns: the times come past since, in order.
    public mutating func update(_ new: Timeline, item: String?, at now: HostTime) -> [Double] {
        defer { schedule(at: now) }
        guard let old = timeline, item == self.item, item != nil, let told,
            abs(new.position - old.position(at: new.hostTime)) <= Self.slack
        else {
            (timeline, self.item, told) = (new, item, item == nil ? nil : new.position(at: now))
            return []
        }
        timeline = new
        return cross(from: told, to: new.position(at: now))
    }

    /// Takes in that it may be time.
    ///
    /// - Parameter present: where playback is by now, as far as it is known; it may have stopped or jumped meanwhile.
    /// - Returns: the times come past since, in order.
    public mutating func tick(_ present: Timeline, at now: HostTime) -> [Double] {
        defer { schedule(at: now) }
        guard let timeline, let told else { return [] }
        return cross(from: told, to: min(timeline.position(at: now), present.position(at: now)))
    }

    /// Takes in a jump.
    ///
    /// - Returns: the times come past before it, in order.
    public mutating func jumped(from origin: Double, to target: Double, at now: HostTime) -> [Double] {
        defer { schedule(at: now) }
        guard let timeline, let told else { return [] }
        let moved = timeline.effectiveRate != 0
        let crossed = moved ? cross(from: told, to: min(origin, timeline.position(at: now))) : []
        self.timeline = Timeline(position: target, hostTime: now, effectiveRate: timeline.effectiveRate)
        self.told = target
        return crossed
    }

    /// Takes in that the item was played to its end.
    ///
    /// - Parameter end: seconds from its first to its last instant; nil where unknown.
    /// - Returns: the times come past since, in order.
    public mutating func ended(at end: Double?) -> [Double] {
        guard let told, let last = end ?? times.last else { return [] }
        let crossed = cross(from: told, to: last)
        nextCrossing = nil
        return crossed
    }

    private mutating func cross(from start: Double, to end: Double) -> [Double] {
        guard end > start else { return [] }
        told = end
        return times.filter { start < $0 && $0 <= end }
    }

    private mutating func schedule(at now: HostTime) {
        nextCrossing = nil
        guard let timeline, let told, timeline.effectiveRate > 0, let next = times.first(where: { $0 > told }) else {
            return
        }
        // A hair late, so that it has been come past by then.
        let wait = (next - timeline.position(at: now)) / timeline.effectiveRate
        nextCrossing = now.advanced(by: max(0.005, wait + 0.001))
    }
}
