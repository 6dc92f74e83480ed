public import Casting

/// How far the receiver's monotonic clock is from this machine's, as the events that arrive show it.
///
/// Every timeline tells the instant at which it was sent. It arrives at that instant plus the way it took, so the
/// smallest difference seen is the nearest to the truth.
public struct ClockOffset: Sendable {
    /// How fast two clocks may drift apart, in seconds a second: crystals are within some 50 millionths each.
    static let drift = 100e-6

    private var smallest: (offset: Double, seenAt: HostTime)?

    /// No event has been seen.
    public init() {}

    /// Takes in that what was true at `remote` over there arrived at `local` here.
    public mutating func observe(remote: HostTime, local: HostTime) {
        let offset = local.seconds - remote.seconds
        if let best = bestOffset(at: local), best <= offset { return }
        smallest = (offset, local)
    }

    /// The receiver's instant at an instant of this machine; nil before any event.
    public func remote(at local: HostTime) -> HostTime? {
        bestOffset(at: local).map { local.advanced(by: -$0) }
    }

    private func bestOffset(at local: HostTime) -> Double? {
        smallest.map { $0.offset + max(0, local.seconds(since: $0.seenAt)) * Self.drift }
    }
}
