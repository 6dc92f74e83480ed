import Casting
import Receiver
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BoundaryScheduleTests {
    /// Something that happens, and which times must be told of with it.
    struct Step: Sendable {
        enum Kind: Sendable {
            /// A state says that playback is there and moves at that rate.
            case state(Double, Double)
            /// A seek from there to there.
            case jump(Double, Double)
            /// Time passes: the schedule is asked, the player being there and moving at that rate.
            case tick(Double, Double)
            case otherItem(Double, Double)
            case ended(Double?)
        }
        /// Seconds since the first step.
        var instant: Double
        var kind: Kind
        var told: [Double]

        init(_ instant: Double, _ kind: Kind, _ told: [Double] = []) {
            (self.instant, self.kind, self.told) = (instant, kind, told)
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [Step]
    }

    static let cases = [
        Case(
            testDescription: "playing comes past each time once",
            steps: [
                Step(0, .state(9, 1)), Step(0.5, .tick(9.5, 1)), Step(1.01, .tick(10.01, 1), [10]),
                Step(1.5, .tick(10.5, 1)), Step(1.6, .state(10.6, 0)), Step(30, .state(10.6, 1)),
                Step(40, .state(20.6, 0), [20]),
            ]),
        Case(
            testDescription: "at twice the rate it comes past twice as soon",
            steps: [Step(0, .state(8, 2)), Step(0.9, .tick(9.8, 2)), Step(1, .tick(10, 2), [10])]),
        Case(
            testDescription: "several between two looks are told in order",
            steps: [Step(0, .state(9, 1)), Step(12, .tick(21, 1), [10, 20])]),
        Case(
            testDescription: "a seek over times tells of none",
            steps: [
                Step(0, .state(9, 1)), Step(0.5, .jump(9.5, 25)), Step(0.5, .state(25, 1)), Step(0.9, .tick(25.4, 1)),
                Step(5.6, .tick(30.1, 1), [30]),
            ]),
        Case(
            testDescription: "a small seek over a time tells of it no more than a large one",
            steps: [
                Step(0, .state(9.9, 0)), Step(1, .jump(9.9, 10.05)), Step(1, .state(10.05, 0)),
                Step(2, .state(10.05, 1)),
                Step(3, .tick(11.05, 1)),
            ]),
        Case(
            testDescription: "what was come past before a seek is told before it",
            steps: [Step(0, .state(9.8, 1)), Step(0.3, .jump(10.1, 40), [10]), Step(0.3, .state(40, 1))]),
        Case(
            testDescription: "after seeking back a time is come past again",
            steps: [
                Step(0, .state(9.5, 1)), Step(1, .tick(10.5, 1), [10]), Step(1.1, .jump(10.6, 9)),
                Step(1.1, .state(9, 1)),
                Step(2.2, .tick(10.1, 1), [10]),
            ]),
        Case(
            testDescription: "the instant playback starts from does not count, the one it stops at does",
            steps: [Step(0, .state(10, 1)), Step(5, .tick(15, 1)), Step(10, .state(20, 0), [20])]),
        Case(
            testDescription: "while it stands or waits nothing is told",
            steps: [Step(0, .state(9.99, 0)), Step(60, .tick(9.99, 0)), Step(61, .state(9.99, 0))]),
        Case(
            testDescription: "what the player has not come to yet is not told early",
            steps: [Step(0, .state(9.5, 1)), Step(0.6, .tick(9.7, 0)), Step(0.7, .state(9.7, 0))]),
        Case(
            testDescription: "another item begins anew",
            steps: [
                Step(0, .state(9.5, 1)), Step(0.2, .otherItem(15, 1)), Step(5.3, .tick(20.3, 1), [20]),
            ]),
        Case(
            testDescription: "the end counts as come past",
            steps: [Step(0, .state(19, 1)), Step(11, .ended(30), [20, 30])]),
        Case(
            testDescription: "of an unknown length all that is left is come past at the end",
            steps: [Step(0, .state(29, 1)), Step(1, .ended(nil), [30])]),
    ]

    @Test("times are told of as AVPlayer's boundary observer would", arguments: cases)
    func table(_ example: Case) {
        let start = HostTime(seconds: 1000)
        var schedule = BoundarySchedule(times: [30, 10, 20, 20])
        for step in example.steps {
            let now = start.advanced(by: step.instant)
            func line(_ position: Double, _ rate: Double) -> Timeline {
                Timeline(position: position, hostTime: now, effectiveRate: rate)
            }
            let told =
                switch step.kind {
                case .state(let position, let rate): schedule.update(line(position, rate), item: "a", at: now)
                case .otherItem(let position, let rate): schedule.update(line(position, rate), item: "b", at: now)
                case .jump(let origin, let target): schedule.jumped(from: origin, to: target, at: now)
                case .tick(let position, let rate): schedule.tick(line(position, rate), at: now)
                case .ended(let end): schedule.ended(at: end)
                }
            #expect(told == step.told, "\(example.testDescription), at \(step.instant)")
        }
    }

    @Test("the next look is due when the next time is come past, and never while it stands")
    func nextCrossing() throws {
        let start = HostTime(seconds: 1000)
        var schedule = BoundarySchedule(times: [10, 20])
        _ = schedule.update(Timeline(position: 4, hostTime: start, effectiveRate: 2), item: "a", at: start)
        #expect(abs(try #require(schedule.nextCrossing).seconds(since: start) - 3) < 0.01)
        _ = schedule.update(
            Timeline(position: 6, hostTime: start.advanced(by: 1), effectiveRate: 0), item: "a",
            at: start.advanced(by: 1))
        #expect(schedule.nextCrossing == nil)
    }

    @Test("a listener is told of its own times, in order with everything else")
    func feed() async throws {
        let stage = Stage()
        let grant = try await stage.open()
        let receiver = stage.receiver
        try await receiver.perform(.load(MediaItem(url: "http://host/film.mp4", paused: true)), session: grant.id)
        let feed = try await receiver.events(session: grant.id, boundaries: [0.2, 0.3, 50, 70])
        let heard = Heard()
        let reading = Task {
            for await element in feed {
                guard let event = element.event else { continue }
                heard.events.withLock { $0.append(event) }
                if case .ended = event { break }
            }
        }
        var times: [Double] {
            heard.events.withLock { $0 }.compactMap {
                if case .boundary(let crossing) = $0 { crossing.time } else { nil }
            }
        }
        try #require(await eventually { !heard.events.withLock { $0 }.isEmpty })
        try await receiver.perform(.play, session: grant.id)
        #expect(await eventually { times == [0.2, 0.3] })
        _ = try await receiver.perform(.seek(SeekRequest(position: 69.9)), session: grant.id)
        #expect(await eventually { times == [0.2, 0.3, 70] })
        stage.player.tell(.ended(itemID: "x"))
        await reading.value
        let names = heard.events.withLock { $0 }.map(\.name).filter { $0 != "state" }
        #expect(names == ["boundary", "boundary", "timeJumped", "boundary", "ended"])
    }
}

private final class Heard: Sendable {
    let events = Mutex<[Event]>([])
}
