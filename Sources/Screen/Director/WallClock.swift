internal import Casting

#if canImport(Glibc)
    import Glibc
#endif

/// What the clock on the wall shows, and how long it will go on to.
package struct WallClock: Hashable, Sendable {
    /// Hours, 0 to 23.
    package var hour: Int
    /// Minutes, 0 to 59.
    package var minute: Int
    /// Seconds until the minute changes, more than 0 and at most 60.
    package var secondsToNextMinute: Double

    /// A reading of the clock.
    package init(hour: Int, minute: Int, secondsToNextMinute: Double = 60) {
        self.hour = hour
        self.minute = minute
        self.secondsToNextMinute = secondsToNextMinute
    }

    /// The time of day here and now.
    package static var now: WallClock {
        var instant = timespec()
        clock_gettime(CLOCK_REALTIME, &instant)
        tzset()
        var parts = tm()
        localtime_r(&instant.tv_sec, &parts)
        let second = Double(min(parts.tm_sec, 59)) + Double(instant.tv_nsec) / 1e9
        return WallClock(
            hour: Int(parts.tm_hour), minute: Int(parts.tm_min), secondsToNextMinute: 60 - second)
    }

    /// Minutes since midnight.
    package var minuteOfDay: Int { hour * 60 + minute }

    /// The time as `HH:MM`.
    package var text: String { TimeText.twoDigits(hour) + ":" + TimeText.twoDigits(minute) }
}

/// Times as people read them.
package enum TimeText {
    /// `4:05` or `1:02:03`.
    package static func position(_ seconds: Int) -> String {
        timeText(max(0, seconds))
    }

    /// A rate as `1.5×`, to two decimals at most.
    package static func rate(_ rate: Double) -> String {
        let hundredths = Int((rate * 100).rounded())
        var text = "\(hundredths / 100)"
        if hundredths % 100 != 0 {
            text += "." + twoDigits(hundredths % 100)
            if text.hasSuffix("0") { text.removeLast() }
        }
        return text + "×"
    }

    static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
