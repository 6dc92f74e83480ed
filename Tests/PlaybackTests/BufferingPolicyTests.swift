import Casting
import Testing

@testable import Playback

@Suite struct BufferingPolicyTests {
    private func level(
        ahead: Double, remaining: Double? = 60, throughput: Double? = nil, byteRate: Double? = 100_000, rate: Double = 1
    ) -> BufferingPolicy.Level {
        .init(ahead: ahead, remaining: remaining, throughput: throughput, byteRate: byteRate, rate: rate)
    }

    @Test func `a source half as fast as needed must be half the rest ahead`() {
        let policy = BufferingPolicy()
        #expect(!policy.mayPlay(level(ahead: 29, throughput: 50_000), afterStall: false))
        #expect(policy.mayPlay(level(ahead: 30, throughput: 50_000), afterStall: false))
        // At twice the rate three quarters of it.
        #expect(!policy.mayPlay(level(ahead: 44, throughput: 50_000, rate: 2), afterStall: false))
        #expect(policy.mayPlay(level(ahead: 45, throughput: 50_000, rate: 2), afterStall: false))
    }

    @Test func `a fast source, or one not known, needs nothing ahead at the start`() {
        let policy = BufferingPolicy()
        #expect(policy.mayPlay(level(ahead: 0, throughput: 200_000), afterStall: false))
        #expect(policy.mayPlay(level(ahead: 0), afterStall: false))
        #expect(policy.mayPlay(level(ahead: 0, remaining: nil, throughput: 1), afterStall: false))
    }

    @Test func `a full buffer and a source read to its end always do`() {
        let policy = BufferingPolicy()
        var full = level(ahead: 1, throughput: 1)
        full.full = true
        #expect(policy.mayPlay(full, afterStall: true))
        var read = level(ahead: 0, throughput: 1)
        read.endRead = true
        #expect(policy.mayPlay(read, afterStall: true))
        #expect(policy.isLikelyToKeepUp(read))
    }

    @Test func `each stall within a minute doubles what it waits for, up to eight seconds`() {
        var policy = BufferingPolicy()
        for (second, needed) in [(0, 1.0), (10, 2), (20, 4), (30, 8), (40, 8)] {
            policy.noteStall(at: HostTime(seconds: Double(second)))
            #expect(!policy.mayPlay(level(ahead: needed - 0.01), afterStall: true))
            #expect(policy.mayPlay(level(ahead: needed), afterStall: true))
        }
        policy.noteStall(at: HostTime(seconds: 101))
        #expect(policy.mayPlay(level(ahead: 1), afterStall: true))
    }

    @Test func `it never waits for more than there is left`() {
        var policy = BufferingPolicy()
        policy.noteStall(at: HostTime(seconds: 1))
        #expect(policy.mayPlay(level(ahead: 0.3, remaining: 0.3), afterStall: true))
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
