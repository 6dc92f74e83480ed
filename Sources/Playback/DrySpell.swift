internal import Casting

/// How long a decoder has been without packets.
struct DrySpell: Sendable {
    /// Seconds after which a stream without packets may be absent, while others have some.
    static let patience = 0.5

    private var since: HostTime?

    /// Seconds since the decoder ran out, counted from the first time this is asked.
    mutating func seconds(at now: HostTime) -> Double {
        let start = since ?? now
        since = start
        return now.seconds(since: start)
    }

    /// When to look again because of the time that has gone by; nil where only a packet makes a difference.
    func nextLook(at now: HostTime) -> HostTime? {
        guard let since, now.seconds(since: since) <= Self.patience else { return nil }
        return since.advanced(by: Self.patience + 0.01)
    }

    /// Notes that there are packets again.
    mutating func end() { since = nil }
}
