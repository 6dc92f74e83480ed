import Casting
import Testing

@testable import Playback

@Suite struct PlaybackClockTests {
    private let start = HostTime(seconds: 100)
    private let format = AudioOutputFormat(sampleRate: 1000, channelCount: 1, latency: 0.05)
    private var timeline: SampleTimeline {
        var timeline = SampleTimeline(sampleRate: 1000)
        timeline.append(frame: 0, time: 10, rate: 1)
        return timeline
    }

    private func reading(_ before: Int, _ after: Int, at seconds: Double) -> AudioRing.Reading {
        .init(before: before, after: after, instant: start.advanced(by: seconds))
    }

    @Test func `without sound it runs by itself and stops where it is`() {
        var clock = PlaybackClock(position: 3)
        #expect(clock.position(at: start.advanced(by: 9)) == 3)
        clock.run(at: 2, from: start)
        #expect(clock.isRunning)
        #expect(abs(clock.position(at: start.advanced(by: 0.5)) - 4) < 1e-9)
        clock.run(at: 0.5, from: start.advanced(by: 1))
        #expect(abs(clock.position(at: start.advanced(by: 2)) - 5.5) < 1e-9)
        clock.stop(at: start.advanced(by: 3))
        #expect(abs(clock.position(at: start.advanced(by: 9)) - 6) < 1e-9)
        #expect(!clock.isRunning)
    }

    @Test func `by sound it stands until samples are pulled, and until they are heard`() {
        var clock = PlaybackClock(position: 10)
        clock.runBySound(from: start)
        #expect(clock.awaitsSound)
        clock.follow(reading(0, 20, at: -1), timeline: timeline, format: format, now: start)
        #expect(clock.awaitsSound)
        clock.follow(reading(0, 20, at: 2), timeline: timeline, format: format, now: start.advanced(by: 2.01))
        #expect(clock.isRunning)
        #expect(clock.position(at: start.advanced(by: 2.01)) == 10)
        clock.follow(reading(60, 80, at: 2.06), timeline: timeline, format: format, now: start.advanced(by: 2.07))
        #expect(abs(clock.position(at: start.advanced(by: 2.07)) - 10.02) < 1e-9)
        #expect(clock.timeline(at: start.advanced(by: 2.08)).effectiveRate == 1)
    }

    @Test func `it does not run past what was pulled, nor back`() {
        var clock = PlaybackClock(position: 10)
        clock.runBySound(from: start)
        clock.follow(reading(0, 100, at: 0), timeline: timeline, format: format, now: start.advanced(by: 5))
        #expect(abs(clock.position(at: start.advanced(by: 5)) - 10.1) < 1e-9)
        // After the gap the next samples are still to be heard.
        clock.follow(reading(100, 200, at: 6), timeline: timeline, format: format, now: start.advanced(by: 6))
        #expect(clock.position(at: start.advanced(by: 6)) >= 10.1)
    }

    @Test func `until samples are heard it stands, and says when it will move`() {
        var clock = PlaybackClock(position: 10)
        clock.runBySound(from: start)
        // Pulled now, and heard 0.05 s later.
        clock.follow(reading(0, 100, at: 1), timeline: timeline, format: format, now: start.advanced(by: 1))
        #expect(clock.isRunning)
        #expect(clock.position(at: start.advanced(by: 1.04)) == 10)
        #expect(abs(clock.position(at: start.advanced(by: 1.06)) - 10.01) < 1e-9)
        let course = clock.course(at: start.advanced(by: 1))
        #expect(course.position == 10 && course.effectiveRate == 1)
        #expect(abs(course.hostTime.seconds(since: start) - 1.05) < 1e-9)
        // Once it moves, it is where it is.
        #expect(clock.course(at: start.advanced(by: 1.06)) == clock.timeline(at: start.advanced(by: 1.06)))
        clock.stop(at: start.advanced(by: 1.02))
        #expect(clock.position(at: start.advanced(by: 2)) == 10)
    }

    @Test func `samples made for a rate move it at that rate`() {
        var timeline = timeline
        timeline.append(frame: 1000, time: 11, rate: 2)
        var clock = PlaybackClock(position: 10)
        clock.runBySound(from: start)
        clock.follow(reading(1100, 1200, at: 0), timeline: timeline, format: format, now: start.advanced(by: 0.1))
        #expect(abs(clock.position(at: start.advanced(by: 0.1)) - 11.3) < 1e-9)
        #expect(clock.timeline(at: start).effectiveRate == 2)
    }

    @Test func `stretches without a seam are one, and those heard are forgotten`() throws {
        var timeline = timeline
        timeline.append(frame: 100, time: 10.1, rate: 1)
        #expect(timeline.stretches.count == 1)
        timeline.append(frame: 200, time: 10.3, rate: 1)
        timeline.append(frame: 300, time: 10.4, rate: 1.5)
        #expect(timeline.stretches.count == 3)
        timeline.forget(before: 250)
        #expect(timeline.stretches.count == 2)
        #expect(abs(try #require(timeline.time(ofFrame: 310)).time - 10.415) < 1e-9)
    }
}
