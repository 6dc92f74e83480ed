#if canImport(Glibc)
    import Glibc
#endif

/// An instant on this machine's monotonic clock (`CLOCK_MONOTONIC`).
///
/// Comparable only with instants of the same machine and the same boot. On the wire it is a number of seconds.
public struct HostTime: Hashable, Sendable {
    /// Nanoseconds since the clock's arbitrary start.
    public var nanoseconds: Int64

    /// Makes an instant from nanoseconds since the clock's start.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Makes an instant from seconds since the clock's start, held within 73 years of it either way: whatever a peer
    /// sends, instants can be taken from each other.
    public init(seconds: Double) {
        let bound = 0x1p61
        let exact = (seconds * 1e9).rounded()
        nanoseconds = exact.isNaN ? 0 : Int64(min(max(exact, -bound), bound))
    }

    /// The present instant.
    public static var now: HostTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return HostTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Seconds since the clock's start.
    public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// The seconds from `earlier` to this instant; negative where `earlier` is later.
    public func seconds(since earlier: HostTime) -> Double {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? seconds - earlier.seconds : Double(difference) / 1e9
    }

    /// The instant `seconds` later.
    public func advanced(by seconds: Double) -> HostTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(HostTime(seconds: seconds).nanoseconds)
        return overflow ? self : HostTime(nanoseconds: sum)
    }
}

extension HostTime: Comparable {
    /// Whether `left` comes before `right`.
    public static func < (left: HostTime, right: HostTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension HostTime: Codable {
    /// Reads a number of seconds.
    public init(from decoder: any Decoder) throws {
        self.init(seconds: try decoder.singleValueContainer().decode(Double.self))
    }

    /// Writes a number of seconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(seconds)
    }
}
