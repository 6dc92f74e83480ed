internal import Casting

/// Whether playback moves, and if not, why: AVPlayer's timeControlStatus as a value.
///
/// Waiting is never paused: `rate` stays what was asked for while an obstacle is in the way.
struct TimeControl: Equatable, Sendable {
    /// What stands between the wish to play and playing.
    enum Obstacle: Equatable, Sendable {
        /// The item is being opened, or what is at a new position is being fetched.
        case evaluating
        /// Playback ran dry, or would before the end.
        case buffering
    }

    /// The rate asked for; 0 while paused.
    private(set) var rate = 0.0
    /// The rate that `play` goes back to.
    private(set) var defaultRate = 1.0
    /// What made the rate what it is.
    private(set) var cause = RateChange.Reason.setRateCalled
    /// Whether there is a current item.
    var hasItem = false
    /// What keeps the item from playing; nil when nothing does.
    var obstacle: Obstacle?

    /// Whether playback moves.
    var status: TimeControlStatus {
        guard rate != 0 else { return .paused }
        return reason == nil ? .playing : .waitingToPlayAtSpecifiedRate
    }

    /// Why playback waits; nil unless it does.
    var reason: WaitingReason? {
        guard rate != 0 else { return nil }
        guard hasItem else { return .noItemToPlay }
        return switch obstacle {
        case nil: nil
        case .evaluating: .evaluatingBufferingRate
        case .buffering: .toMinimizeStalls
        }
    }

    /// Plays at the default rate.
    mutating func play() { change(to: defaultRate, .setRateCalled) }

    /// Stands still; the default rate stays.
    mutating func pause(because cause: RateChange.Reason = .setRateCalled) { change(to: 0, cause) }

    /// Plays at `rate` until the next `play`; 0 pauses.
    /// - Throws: `invalidRequest` for a rate that is not on offer.
    mutating func setRate(_ rate: Double, because cause: RateChange.Reason = .setRateCalled) throws(CastError) {
        guard rate == 0 || PlaybackState.rates.contains(rate) else { throw Self.notOnOffer(rate) }
        change(to: rate, cause)
    }

    /// Changes what `play` plays at, and the rate now unless paused.
    /// - Throws: `invalidRequest` for a rate that is not on offer.
    mutating func setDefaultRate(_ rate: Double) throws(CastError) {
        guard PlaybackState.rates.contains(rate) else { throw Self.notOnOffer(rate) }
        defaultRate = rate
        if self.rate != 0 { change(to: rate, .setRateCalled) }
    }

    private mutating func change(to rate: Double, _ cause: RateChange.Reason) {
        if rate != self.rate { self.cause = cause }
        self.rate = rate
    }

    private static func notOnOffer(_ rate: Double) -> CastError {
        CastError(.invalidRequest, "A rate of \(rate) is not on offer.", hint: "Use 0 to pause, or 0.5 to 2.")
    }
}
