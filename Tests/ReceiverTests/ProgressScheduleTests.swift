import Casting
import Receiver
import Testing

@Suite struct ProgressScheduleTests {
    private static let start = HostTime(seconds: 1000)
    private func at(_ seconds: Double) -> HostTime { Self.start.advanced(by: seconds) }

    private func isDue(_ schedule: inout ProgressSchedule, _ timeline: Timeline, _ now: HostTime) -> Bool {
        schedule.update(timeline, at: now)
    }

    /// The instants of the first ticks and the positions at them, on a timeline that runs undisturbed.
    private func ticks(_ count: Int, interval: Double, from position: Double, rate: Double) -> [(Double, Double)] {
        var schedule = ProgressSchedule(interval: interval)
        let timeline = Timeline(position: position, hostTime: Self.start, effectiveRate: rate)
        #expect(isDue(&schedule, timeline, Self.start))
        schedule.ticked(timeline, at: Self.start)
        var found: [(Double, Double)] = []
        while found.count < count, let tick = schedule.nextTick {
            found.append((tick.seconds(since: Self.start), timeline.position(at: tick)))
            schedule.ticked(timeline, at: tick)
        }
        return found
    }

    @Test("ticks come at multiples of the interval", arguments: [1.0, 0.5, 2.0])
    func multiples(_ rate: Double) {
        let found = ticks(4, interval: 1, from: 10.25, rate: rate)
        #expect(found.map { ($0.1 * 1000).rounded() / 1000 } == [11, 12, 13, 14])
        #expect(found.map { ($0.0 * 1000).rounded() / 1000 } == [0.75, 1.75, 2.75, 3.75].map { $0 / rate })
    }

    @Test("a start, and a stop, are due at once; and nothing while it stands")
    func startAndStop() {
        var schedule = ProgressSchedule(interval: 1)
        #expect(!isDue(&schedule, Timeline(position: 3, hostTime: at(0), effectiveRate: 0), at(0)))
        #expect(schedule.nextTick == nil)
        #expect(isDue(&schedule, Timeline(position: 3, hostTime: at(1), effectiveRate: 1), at(1)))
        schedule.ticked(Timeline(position: 3, hostTime: at(1), effectiveRate: 1), at: at(1))
        #expect(schedule.nextTick == at(2))
        #expect(isDue(&schedule, Timeline(position: 3.5, hostTime: at(1.5), effectiveRate: 0), at(1.5)))
        #expect(schedule.nextTick == nil)
        #expect(!isDue(&schedule, Timeline(position: 3.5, hostTime: at(9), effectiveRate: 0), at(9)))
    }

    @Test("a new rate moves the next tick without a tick of its own")
    func rateChange() {
        var schedule = ProgressSchedule(interval: 10)
        _ = schedule.update(Timeline(position: 0, hostTime: at(0), effectiveRate: 1), at: at(0))
        #expect(schedule.nextTick == at(10))
        #expect(!isDue(&schedule, Timeline(position: 4, hostTime: at(4), effectiveRate: 2), at(4)))
        #expect(schedule.nextTick == at(7))
    }

    @Test("a jump moves the next tick")
    func jump() {
        var schedule = ProgressSchedule(interval: 10)
        _ = schedule.update(Timeline(position: 0, hostTime: at(0), effectiveRate: 1), at: at(0))
        schedule.ticked(Timeline(position: 58, hostTime: at(1), effectiveRate: 1), at: at(1))
        #expect(schedule.nextTick == at(3))
    }

    @Test("a tick that comes a hair early or late does not come twice", arguments: [-0.003, 0, 0.003])
    func jitter(_ error: Double) {
        var schedule = ProgressSchedule(interval: 1)
        let timeline = Timeline(position: 0, hostTime: at(0), effectiveRate: 1)
        _ = schedule.update(timeline, at: at(0))
        schedule.ticked(timeline, at: at(1 + error))
        #expect(schedule.nextTick.map { abs($0.seconds(since: at(2))) < 1e-6 } == true)
    }

    @Test("intervals too short for the clock tick less often")
    func shortest() {
        let found = ticks(10, interval: 0.001, from: 0, rate: 2)
        for (earlier, later) in zip(found, found.dropFirst()) {
            #expect(later.0 - earlier.0 >= ProgressSchedule.shortestGap - 1e-6)
        }
    }
}
