/// When to try again after the network has failed: a value that only decides.
struct RetryPolicy {
    /// What went wrong.
    enum Failure: Equatable {
        /// The connection broke.
        case lost
        /// Nothing came for long.
        case slow
        /// The server says that it cannot now (5xx, 429), and for how many seconds it wants to be left alone.
        case busy(retryAfter: Double? = nil)
        /// No connection could be made.
        case unreachable
        /// What another attempt cannot mend.
        case hopeless
    }

    /// Seconds to wait before each attempt in the middle of the media; the last one again and again. They do not grow:
    /// what is buffered runs out meanwhile.
    static let resumeDelays = [0, 0.5, 1, 2]
    /// Seconds to wait before each attempt at the start, where someone waits for the first picture.
    static let openDelays = [0.5, 1.0]
    /// Bytes after which a resumed connection counts as good.
    static let goodProgress: Int64 = 65_536
    /// Seconds of failing after which it is over, whatever the number of attempts; what is buffered is played before.
    static let patience = 30.0
    /// Seconds that a server's wish to be left alone may last at the start, and in the middle.
    static let longestRetryAfter = (opening: 8.0, resuming: 25.0)

    private var failures = 0
    private var progress: Int64 = 0
    private var firstFailure: Double?

    /// Notes that bytes came.
    mutating func received(_ count: Int) {
        guard failures > 0 else { return }
        progress += Int64(count)
        if progress >= Self.goodProgress { self = RetryPolicy() }
    }

    /// Seconds to wait before the next attempt; nil to give up.
    ///
    /// - Parameters:
    ///   - opening: whether nothing has come of this media yet.
    ///   - now: seconds on any clock.
    ///   - dry: when there was nothing left to play, on that clock; nil while there is something.
    ///   - patience: seconds of failing with nothing to play after which it is over.
    mutating func delay(
        after failure: Failure, opening: Bool, now: Double, dry: Double? = 0, patience: Double = RetryPolicy.patience
    ) -> Double? {
        guard failure != .hopeless else { return nil }
        progress = 0
        failures += 1
        let first = firstFailure ?? now
        firstFailure = first
        let delays = opening ? Self.openDelays : Self.resumeDelays
        guard now - max(first, dry ?? now) < patience, !opening || failures <= delays.count else { return nil }
        var delay = delays[min(failures, delays.count) - 1]
        switch failure {
        case .busy(let retryAfter?):
            let longest = opening ? Self.longestRetryAfter.opening : Self.longestRetryAfter.resuming
            // Asked for longer than anyone waits; to ask sooner would only make it worse.
            guard retryAfter <= longest else { return nil }
            delay = max(delay, retryAfter)
        case .slow, .unreachable:
            if opening { return nil }
        default: break
        }
        return delay
    }

    /// Seconds of silence after which a connection is given up and made again.
    ///
    /// In the middle, what is buffered still plays: an early attempt may be in time to make the stall unseen. Where the
    /// server sends the whole only, an attempt is dear, and the connection is given more time.
    static func silence(opening: Bool, knowsRanges: Bool) -> Double {
        if opening { return 4 }
        return knowsRanges ? 3 : 10
    }
}
