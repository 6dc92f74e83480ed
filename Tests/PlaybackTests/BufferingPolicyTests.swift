import Casting
import Testing

@testable import Playback

@Suite struct BufferingPolicyTests {
    private func level(
        ahead: Double, remaining: Double? = 60, throughput: Double? = nil, byteRate: Double? = 100_000, rate: Double = 1
    ) -> BufferingPolicy.Level {
        .init(ahead: ahead, remaining: remaining, throughput: throughput, byteRate: byteRate, rate: rate)
    }

    @Test func `a source half as fast as needed must be half the rest ahead, and a little more`() {
        let policy = BufferingPolicy()
        #expect(policy.verdict(level(ahead: 30, throughput: 50_000), afterStall: false) == .wait)
        #expect(policy.verdict(level(ahead: 32, throughput: 50_000), afterStall: false) == .play)
        // At twice the rate three quarters of it.
        #expect(policy.verdict(level(ahead: 45, throughput: 50_000, rate: 2), afterStall: false) == .wait)
        #expect(policy.verdict(level(ahead: 48, throughput: 50_000, rate: 2), afterStall: false) == .play)
    }

    @Test func `a fast source needs nothing ahead at the start, and neither does one without end`() {
        let policy = BufferingPolicy()
        #expect(policy.verdict(level(ahead: 0, throughput: 200_000), afterStall: false) == .play)
        #expect(policy.verdict(level(ahead: 0, remaining: nil, throughput: 1), afterStall: false) == .play)
    }

    @Test func `of a source not known yet a second is awaited, without calling it a wait`() {
        let policy = BufferingPolicy()
        #expect(policy.verdict(level(ahead: 0), afterStall: false) == .evaluate)
        #expect(policy.verdict(level(ahead: 0.99), afterStall: false) == .evaluate)
        #expect(policy.verdict(level(ahead: 1), afterStall: false) == .play)
        #expect(policy.verdict(level(ahead: 0.5, remaining: 0.5), afterStall: false) == .play)
        #expect(policy.verdict(level(ahead: 0.5, throughput: 1, byteRate: nil), afterStall: false) == .evaluate)
    }

    /// The whole of a film from an origin that is slower than it, second by second: it starts once it can be played
    /// through, as late as it must and no later.
    @Test(arguments: [(0.5, 1.0, 31.75), (0.75, 1, 16), (0.5, 2, 47.5), (1, 1, 0), (0.9, 1.25, 17.9)])
    func `sixty seconds from a slow origin never run dry`(share: Double, rate: Double, needed: Double) {
        let (duration, byteRate) = (60.0, 100_000.0)
        let policy = BufferingPolicy()
        var (loaded, position, started) = (0.0, 0.0, nil as Double?)
        let step = 0.01
        while position < duration {
            loaded = min(duration, loaded + share * step)
            var now = level(
                ahead: loaded - position, remaining: duration - position, throughput: share * byteRate,
                byteRate: byteRate, rate: rate)
            now.endRead = loaded == duration
            if started == nil, policy.verdict(now, afterStall: false) == .play { started = loaded }
            guard started != nil else { continue }
            position = min(duration, position + rate * step)
            #expect(position <= loaded + 2 * rate * step, "dry at \(position)")
        }
        #expect(abs((started ?? 0) - needed) < 0.1)
    }

    @Test func `a full buffer and a source read to its end always do`() {
        let policy = BufferingPolicy()
        var full = level(ahead: 1, throughput: 1)
        full.full = true
        #expect(policy.verdict(full, afterStall: true) == .play)
        var read = level(ahead: 0, throughput: 1)
        read.endRead = true
        #expect(policy.verdict(read, afterStall: true) == .play)
        #expect(policy.isLikelyToKeepUp(read))
    }

    @Test func `each stall within a minute doubles what it waits for, up to eight seconds`() {
        var policy = BufferingPolicy()
        for (second, needed) in [(0, 1.0), (10, 2), (20, 4), (30, 8), (40, 8)] {
            policy.noteStall(at: HostTime(seconds: Double(second)))
            #expect(policy.verdict(level(ahead: needed - 0.01), afterStall: true) == .wait)
            #expect(policy.verdict(level(ahead: needed), afterStall: true) == .play)
        }
        policy.noteStall(at: HostTime(seconds: 101))
        #expect(policy.verdict(level(ahead: 1), afterStall: true) == .play)
    }

    @Test func `it never waits for more than there is left`() {
        var policy = BufferingPolicy()
        policy.noteStall(at: HostTime(seconds: 1))
        #expect(policy.verdict(level(ahead: 0.3, remaining: 0.3), afterStall: true) == .play)
    }

    @Test func `likely to keep up is a prediction where there are figures, and a second's worth where not`() {
        let policy = BufferingPolicy()
        #expect(policy.isLikelyToKeepUp(level(ahead: 0.1, throughput: 200_000)))
        #expect(!policy.isLikelyToKeepUp(level(ahead: 10, throughput: 50_000)))
        #expect(!policy.isLikelyToKeepUp(level(ahead: 0.9)))
        #expect(policy.isLikelyToKeepUp(level(ahead: 1)))
    }

    @Test func `it has run dry only when the source and an output have`() {
        #expect(BufferingPolicy.hasRunDry(sourceDry: true, outputDry: true))
        #expect(!BufferingPolicy.hasRunDry(sourceDry: true, outputDry: false))
        #expect(!BufferingPolicy.hasRunDry(sourceDry: false, outputDry: true))
    }
}
