/// How long to wait before trying again: a tenth of a second first, each time twice as long, at most five seconds.
struct Backoff: Hashable, Sendable {
    /// The longest wait, in seconds: a daemon that starts late is seen soon, and trying costs next to nothing.
    static let longest = 5.0

    private var wait = 0.1

    /// The seconds to wait now; longer the next time.
    mutating func next() -> Double {
        defer { wait = min(wait * 2, Self.longest) }
        return wait
    }
}
