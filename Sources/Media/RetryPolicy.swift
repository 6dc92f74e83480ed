/// When to try again after the network has failed: a value that only decides.
struct RetryPolicy {
    /// What went wrong.
    enum Failure {
        /// The connection broke.
        case lost
        /// Nothing came for long.
        case slow
        /// The server says that it cannot now (5xx, 429).
        case busy
        /// No connection could be made.
        case unreachable
        /// What another attempt cannot mend.
        case hopeless
    }

    /// Seconds to wait before each attempt in the middle of the media; they add up to what a router needs to come back.
    static let resumeDelays = [0, 0.5, 1, 2, 4]
    /// Seconds to wait before each attempt at the start, where someone waits for the first picture.
    static let openDelays = [0.5, 1.0]
    /// Bytes after which a resumed connection counts as good.
    static let goodProgress: Int64 = 65_536
    /// Seconds of failing after which it is over, whatever the number of attempts.
    static let patience = 30.0

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
    mutating func delay(after failure: Failure, opening: Bool, now: Double) -> Double? {
        guard failure != .hopeless else { return nil }
        progress = 0
        failures += 1
        let first = firstFailure ?? now
        firstFailure = first
        if opening {
            guard failure == .lost || failure == .busy, failures <= Self.openDelays.count else { return nil }
            return Self.openDelays[failures - 1]
        }
        guard now - first < Self.patience, failures <= Self.resumeDelays.count else { return nil }
        return Self.resumeDelays[failures - 1]
    }
}
