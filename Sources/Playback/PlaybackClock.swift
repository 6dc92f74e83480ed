internal import Casting

/// Where playback is: item time as a function of the machine's monotonic clock.
///
/// While there is sound, the sound is the master: the clock is what the samples now being heard belong to. Without, it
/// runs by itself. It never goes back but when it is set.
struct PlaybackClock: Sendable {
    private enum Motion: Sendable {
        case still
        /// Asked to run by sound, none of which has been pulled yet.
        case awaitingSound(since: HostTime)
        case running
    }

    /// Where it is, through the instant it was last told anything; before that instant it stands.
    private var line: Timeline
    private var motion = Motion.still

    /// A clock that stands at `position`.
    init(position: Double = 0) {
        line = Timeline(position: position, hostTime: HostTime(nanoseconds: 0), effectiveRate: 0)
    }

    /// Whether it moves.
    var isRunning: Bool { if case .running = motion { true } else { false } }

    /// Whether it is to run by sound, and none has come.
    var awaitsSound: Bool { if case .awaitingSound = motion { true } else { false } }

    /// Stands at `position` from now on.
    mutating func set(position: Double) {
        line = Timeline(position: position, hostTime: line.hostTime, effectiveRate: 0)
        motion = .still
    }

    /// Runs by itself from `instant` on, at `rate`.
    mutating func run(at rate: Double, from instant: HostTime) {
        line = Timeline(position: position(at: instant), hostTime: instant, effectiveRate: rate)
        motion = .running
    }

    /// Runs by sound: it stands until samples pulled after `instant` are known of.
    mutating func runBySound(from instant: HostTime) {
        line = Timeline(position: position(at: instant), hostTime: instant, effectiveRate: 0)
        motion = .awaitingSound(since: instant)
    }

    /// Takes over what sound is heard.
    ///
    /// - Parameters:
    ///   - reading: what the device pulled last.
    ///   - timeline: what those samples belong to.
    ///   - format: the device's; its latency is the time from pulled to heard.
    ///   - now: the present instant.
    mutating func follow(
        _ reading: AudioRing.Reading, timeline: SampleTimeline, format: AudioOutputFormat, now: HostTime
    ) {
        switch motion {
        case .still: return
        case .awaitingSound(let start) where reading.instant < start: return
        default: break
        }
        let elapsed = now.seconds(since: reading.instant) - format.latency
        let heard = min(Double(reading.before) + elapsed * Double(format.sampleRate), Double(reading.after))
        guard let (time, rate) = timeline.time(ofFrame: heard) else { return }
        motion = .running
        // The first samples are pulled some time before they are heard, and a device pulls in bursts: stand, not go back.
        let behind = max(0, line.position - time)
        line = Timeline(
            position: time + behind, hostTime: now.advanced(by: rate > 0 ? behind / rate : 0), effectiveRate: rate)
    }

    /// Stands still where it is at `instant`.
    mutating func stop(at instant: HostTime) {
        set(position: position(at: instant))
    }

    /// Where it is at an instant.
    func position(at instant: HostTime) -> Double { line.position(at: max(instant, line.hostTime)) }

    /// Where it is at an instant, and how fast it moves.
    func timeline(at instant: HostTime) -> Timeline {
        Timeline(position: position(at: instant), hostTime: instant, effectiveRate: line.effectiveRate)
    }

    /// By what line it moves at an instant, or will from a later one: what pictures are timed by.
    func course(at instant: HostTime) -> Timeline {
        instant < line.hostTime ? line : timeline(at: instant)
    }
}
