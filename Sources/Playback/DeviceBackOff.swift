internal import Casting

/// When to try again for a sound device that was lost: soon at first, and ever less often.
struct DeviceBackOff: Equatable, Sendable {
    /// Seconds to wait before each attempt; the last one for good.
    static let delays = [0.5, 1, 2, 5]
    /// A device that has worked for so many seconds counts as a good one: its loss is a new misfortune.
    static let trial = 30.0

    private var attempts = 0

    /// Seconds to wait before the next attempt.
    mutating func next() -> Double {
        defer { attempts += 1 }
        return Self.delays[min(attempts, Self.delays.count - 1)]
    }

    /// Notes that a device was lost that had worked for so long.
    mutating func lost(after seconds: Double) {
        if seconds >= Self.trial { attempts = 0 }
    }
}
