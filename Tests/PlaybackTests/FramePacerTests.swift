import Casting
import Testing

@testable import Playback

@Suite struct FramePacerTests {
    private let now = HostTime(seconds: 1000)

    private func clock(at position: Double, rate: Double = 1) -> Timeline {
        Timeline(position: position, hostTime: now, effectiveRate: rate)
    }

    @Test func `a picture goes up when the clock reaches its time`() {
        let pacer = FramePacer()
        let decision = pacer.decide(time: 2.04, duration: 0.04, clock: clock(at: 2), now: now)
        #expect(decision == .show(at: now.advanced(by: 0.04)))
    }

    @Test func `at twice the rate it goes up in half the time`() {
        let pacer = FramePacer()
        let decision = pacer.decide(time: 2.04, duration: 0.04, clock: clock(at: 2, rate: 2), now: now)
        #expect(decision == .show(at: now.advanced(by: 0.02)))
    }

    @Test func `a picture far ahead waits until shortly before its time`() {
        let pacer = FramePacer()
        let decision = pacer.decide(time: 5, duration: 1, clock: clock(at: 2), now: now)
        #expect(decision == .wait(until: now.advanced(by: 3 - FramePacer.lead)))
    }

    @Test func `the first picture is shown however late it is`() {
        let pacer = FramePacer()
        let decision = pacer.decide(time: 1, duration: 0.04, clock: clock(at: 2), now: now)
        #expect(decision == .show(at: now.advanced(by: -1)))
    }

    @Test func `a picture whose time is over is dropped`() {
        var pacer = FramePacer()
        pacer.shown(at: now.advanced(by: -0.05))
        #expect(pacer.decide(time: 1.9, duration: 0.04, clock: clock(at: 2), now: now) == .drop)
    }

    @Test func `a picture that is late but not over is shown`() {
        var pacer = FramePacer()
        pacer.shown(at: now.advanced(by: -0.05))
        let decision = pacer.decide(time: 1.98, duration: 0.04, clock: clock(at: 2), now: now)
        #expect(decision == .show(at: now.advanced(by: -0.02)))
    }

    @Test func `ten pictures a second survive on a machine too slow`() {
        var pacer = FramePacer()
        pacer.shown(at: now.advanced(by: -0.11))
        let decision = pacer.decide(time: 1, duration: 0.04, clock: clock(at: 2), now: now)
        #expect(decision == .show(at: now.advanced(by: -1)))
    }

    @Test func `the clock's jitter moves a picture by a tenth only`() throws {
        var pacer = FramePacer()
        pacer.passed(time: 2, due: now)
        // The clock says 10 ms later than the picture before did.
        let due = pacer.due(time: 2.04, duration: 0.04, clock: clock(at: 1.99))
        #expect(abs(due.seconds(since: now) - 0.041) < 1e-6)
    }

    @Test func `a correction is at most a tenth of the picture's duration`() {
        var pacer = FramePacer()
        pacer.passed(time: 2, due: now)
        let due = pacer.due(time: 2.04, duration: 0.04, clock: clock(at: 1.92))
        #expect(abs(due.seconds(since: now) - 0.044) < 1e-6)
    }

    @Test func `a jump of the clock is followed at once`() {
        var pacer = FramePacer()
        pacer.passed(time: 2, due: now)
        let due = pacer.due(time: 2.04, duration: 0.04, clock: clock(at: 1))
        #expect(due == now.advanced(by: 1.04))
    }

    @Test func `a steady error is worked off within seconds`() {
        var pacer = FramePacer()
        pacer.passed(time: 0, due: now)
        var error = 0.0
        for frame in 1...50 {
            let time = Double(frame) / 25
            // The clock is 30 ms behind where the pictures began.
            let line = clock(at: -0.03)
            let due = pacer.due(time: time, duration: 0.04, clock: line)
            pacer.passed(time: time, due: due)
            error = due.seconds(since: now) - (time + 0.03)
        }
        #expect(abs(error) < 0.002)
    }
}
