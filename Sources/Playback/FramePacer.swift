internal import Casting

/// Decides when a decoded picture goes up, or that it is too late for it.
///
/// Pictures follow the clock, but not its jitter: the time from one picture to the next is that of their timestamps,
/// and only a tenth of the error is taken out with each picture, as mpv does.
struct FramePacer: Sendable {
    /// What to do with a picture.
    enum Decision: Equatable {
        /// Hand it over now, to be put up at that instant.
        case show(at: HostTime)
        /// It is too early; ask again then.
        case wait(until: HostTime)
        /// Its time has passed; leave it out.
        case drop
    }

    /// How long before its time a picture is handed over, in seconds: enough to convert it, and little to take back.
    static let lead = 0.1
    /// An error in seconds beyond which pictures jump to the clock.
    static let largestSmoothError = 0.1
    /// The part of a smaller error that one picture takes out, and the part of its duration that this may come to.
    static let correction = 0.1
    /// Seconds after which a picture goes up however late it is: ten pictures a second survive on a machine too slow.
    static let longestGap = 0.1

    /// The picture before: its time in the item, and when it was due.
    private var previous: (time: Double, due: HostTime)?
    private var lastShown: HostTime?

    /// A pacer that has seen no picture yet.
    init() {}

    /// What to do with a picture.
    ///
    /// - Parameters:
    ///   - time: its time in the item.
    ///   - duration: for how long it is to be seen, in seconds of item time.
    ///   - clock: where playback is and how fast it moves; not 0.
    ///   - now: the present instant.
    func decide(time: Double, duration: Double, clock: Timeline, now: HostTime) -> Decision {
        let due = due(time: time, duration: duration, clock: clock)
        let end = due.advanced(by: duration / clock.effectiveRate)
        if let lastShown, end <= now, now.seconds(since: lastShown) < Self.longestGap { return .drop }
        if due.seconds(since: now) > Self.lead { return .wait(until: due.advanced(by: -Self.lead)) }
        return .show(at: due)
    }

    /// When a picture is due.
    func due(time: Double, duration: Double, clock: Timeline) -> HostTime {
        let exact = clock.hostTime.advanced(by: (time - clock.position) / clock.effectiveRate)
        guard let previous, time > previous.time else { return exact }
        let smooth = previous.due.advanced(by: (time - previous.time) / clock.effectiveRate)
        let error = exact.seconds(since: smooth)
        guard abs(error) < Self.largestSmoothError else { return exact }
        let most = Self.correction * duration / clock.effectiveRate
        return smooth.advanced(by: min(max(error * Self.correction, -most), most))
    }

    /// Notes that a picture was handed over or dropped.
    mutating func passed(time: Double, due: HostTime) {
        previous = (time, due)
    }

    /// Notes when a picture came up.
    mutating func shown(at instant: HostTime) {
        lastShown = instant
    }

    /// Forgets the pictures before: after a pause, a seek, a change of rate.
    mutating func restart() {
        previous = nil
        lastShown = nil
    }
}
