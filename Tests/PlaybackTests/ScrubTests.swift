import Casting
import TestSupport
import Testing

@testable import Playback

@Suite struct ScrubRulesTests {
    private let start = HostTime(seconds: 10)

    @Test func `a single skip is exact, those of a held key are quick`() {
        var rules = ScrubRules()
        #expect(!rules.take(10, looksAround: false, at: start).isQuick)
        #expect(rules.take(20, looksAround: false, at: start.advanced(by: 0.3)).isQuick)
        #expect(!rules.take(30, looksAround: false, at: start.advanced(by: 2)).isQuick)
        #expect(rules.take(40, looksAround: true, at: start.advanced(by: 9)).isQuick)
    }

    @Test func `only the latest counts, and what is wanted is known until it is there`() {
        var rules = ScrubRules()
        let first = rules.take(10, looksAround: false, at: start)
        let second = rules.take(20, looksAround: false, at: start)
        #expect(!rules.isLatest(first))
        #expect(rules.isLatest(second))
        rules.finish(first)
        #expect(rules.wanted == 20)
        rules.finish(second)
        #expect(rules.wanted == nil)
        let third = rules.take(30, looksAround: false, at: start)
        rules.abandon()
        #expect(!rules.isLatest(third))
        #expect(rules.wanted == nil)
    }
}

/// Steps and scrubbing with the whole player.
@Suite(.serialized) struct StepTests {
    private func step(_ rig: Rig, _ pictures: Int) async throws -> SeekOutcome {
        guard case .seek(let outcome) = try await rig.player.perform(.step(by: pictures)) else {
            throw CastError(.unknown, "")
        }
        return outcome
    }

    @Test func `steps show exact neighbours, over key frames, and stay at the ends`() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        try await rig.load(server.url, at: 1.92, paused: true)
        for (pictures, number) in [(1, 49), (1, 50), (1, 51), (-1, 50), (-1, 49), (-2, 47), (3, 50)] {
            let outcome = try await step(rig, pictures)
            #expect(outcome.finished)
            #expect(rig.screen.current?.number == number)
            #expect(abs(outcome.position - Double(number) / 25) < 0.001)
            #expect(abs(rig.player.state.timeline.position - Double(number) / 25) < 0.001)
        }
        for (position, pictures, number) in [(3.92, 3, 99), (0.04, -3, 0)] {
            _ = try await rig.seek(position)
            #expect(try await step(rig, pictures).finished)
            #expect(rig.screen.current?.number == number)
        }
    }

    @Test func `a step while playing pauses, and playing goes on from there with its sound`() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        try await rig.load(server.url)
        try #require(await eventually { rig.player.state.timeline.position > 0.5 })
        _ = try await rig.player.perform(.pause)
        let number = try #require(rig.screen.current?.number)
        _ = try await step(rig, 1)
        #expect(rig.player.state.rate == 0)
        #expect(rig.screen.current?.number == number + 1)
        let shown = rig.screen.shown.count
        _ = try await rig.player.perform(.play)
        try await rig.idle()
        let numbers = rig.screen.shown.dropFirst(shown - 1).compactMap(\.number)
        #expect(numbers == numbers.sorted())
        #expect(numbers.last == 99)
    }

    @Test func `what has no pictures has no steps`() async throws {
        let server = try ClipServer(path: Clips.song().path())
        let rig = Rig()
        try await rig.load(server.url, paused: true)
        let error = await #expect(throws: CastError.self) { try await step(rig, 1) }
        #expect(error?.code == .operationNotSupported)
    }

    @Test func `scrubbing shows a picture nearby at once and the exact one at rest`() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        try await rig.load(server.url, paused: true)
        let request = SeekRequest(position: 3.2, scrubs: true)
        #expect(try await rig.player.perform(.seek(request)) == .seek(SeekOutcome(finished: true, position: 3.2)))
        #expect(rig.screen.shown.map(\.number) == [0, 50, 80])
    }

    @Test func `of many scrubs the last one ends exactly, and pictures are seen on the way`() async throws {
        let server = try ClipServer(path: Clips.film(seconds: 24).path())
        let rig = Rig()
        try await rig.load(server.url, paused: true)
        let scrub: @Sendable (Int) -> SeekRequest = { SeekRequest(position: Double($0) * 2.04, scrubs: true) }
        // Whether one before the last gets there too hangs on how soon the next one comes.
        let last = try await withThrowingTaskGroup(of: CommandOutcome.self) { group in
            for step in 1...9 {
                group.addTask { try await rig.player.perform(.seek(scrub(step))) }
                try await Task.sleep(for: .milliseconds(100))
            }
            let last = try await rig.player.perform(.seek(scrub(10)))
            try await group.waitForAll()
            return last
        }
        let outcome = if case .seek(let outcome) = last { outcome } else { SeekOutcome(finished: false, position: 0) }
        #expect(outcome.finished && abs(outcome.position - 20.4) < 0.001)
        #expect(rig.screen.current?.number == 510)
        #expect(Set(rig.screen.shown.compactMap(\.number)).count > 3)
    }

    @Test func `of fifty seeks in a burst one finishes, with its exact picture`() async throws {
        let server = try ClipServer(path: Clips.film(seconds: 24).path())
        let rig = Rig()
        try await rig.load(server.url, paused: true)
        let item = try #require(rig.player.core.withLock { $0.item })
        let replies = (1...50).map { item.seek(to: Double($0) * 0.4 + 0.12) }
        var finished: [SeekOutcome] = []
        for reply in replies {
            let outcome = await reply.value
            if outcome.finished { finished.append(outcome) } else { #expect(outcome.reason == .superseded) }
        }
        #expect(finished == [SeekOutcome(finished: true, position: 20.12)])
        #expect(rig.screen.current?.number == 503)
    }
}
