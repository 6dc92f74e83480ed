public import Casting

/// Where the receiver's playback is now, from the last timeline it sent: no polling, no guessing.
public struct PositionEstimate: Sendable {
    private var clock = ClockOffset()
    private var timeline: Timeline?
    private var duration: Double?

    /// Nothing is known yet.
    public init() {}

    /// Takes in a timeline that arrived at `local`.
    public mutating func observe(_ timeline: Timeline, at local: HostTime) {
        clock.observe(remote: timeline.sentAt ?? timeline.hostTime, local: local)
        self.timeline = timeline
    }

    /// Takes in the whole state.
    public mutating func observe(_ state: PlaybackState, at local: HostTime) {
        observe(state.timeline, at: local)
        duration = state.item?.duration
    }

    /// Seconds of item time at an instant of this machine, never past the end; nil before anything arrived.
    public func position(at local: HostTime) -> Double? {
        guard let timeline, let remote = clock.remote(at: local) else { return nil }
        let position = max(0, timeline.position(at: max(remote, timeline.hostTime)))
        return duration.map { min(position, $0) } ?? position
    }
}
