import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

/// What happens at an item's end, and what is told of it.
@Suite(.serialized) struct EndingTests {
    private func film() throws -> ClipServer { try ClipServer(path: Clips.film(seconds: 1).path()) }

    private func options(_ rig: Rig, _ options: PlaybackOptions) async throws {
        _ = try await rig.player.perform(.setOptions(options))
    }

    @Test func `it stands at its end with the last picture, and plays again from the start when asked to`() async throws
    {
        let film = try film()
        let rig = Rig()
        try await options(rig, PlaybackOptions(actionAtItemEnd: .pause))
        try await rig.load(film.url)
        try #require(await eventually { rig.ended == ["item-1"] })
        try #require(await eventually { rig.player.state.timeControlStatus == .paused })
        let state = rig.player.state
        #expect(state.rate == 0)
        #expect(state.item?.id == "item-1")
        #expect(state.timeline.effectiveRate == 0)
        #expect(abs(state.timeline.position - (state.item?.duration ?? 0)) < 0.06)
        #expect(rig.screen.current?.number == 24)
        #expect(
            await eventually {
                rig.events.contains(.rateChanged(RateChange(itemID: "item-1", rate: 0, reason: .reachedEnd)))
            })
        _ = try await rig.player.perform(.play)
        try #require(await eventually { rig.ended == ["item-1", "item-1"] })
        let jumps = rig.events.compactMap { if case .timeJumped(let jump) = $0 { jump } else { nil } }
        #expect(jumps.map(\.reason) == [.restart])
        #expect(jumps.first?.to == 0)
    }

    @Test func `after seeking back it ends once more`() async throws {
        let film = try film()
        let rig = Rig()
        try await options(rig, PlaybackOptions(actionAtItemEnd: .pause))
        try await rig.load(film.url, at: 0.5)
        try #require(await eventually { rig.player.state.rate == 0 })
        _ = try await rig.seek(0.6)
        #expect(rig.player.state.timeControlStatus == .paused)
        #expect(rig.screen.current?.number == 15)
        _ = try await rig.player.perform(.play)
        try #require(await eventually { rig.ended == ["item-1", "item-1"] })
        #expect(rig.events.filter { if case .timeJumped = $0 { true } else { false } }.count == 1)
    }

    @Test func `with no action the position counts on, and another action acts at once`() async throws {
        let film = try film()
        let rig = Rig()
        try await options(rig, PlaybackOptions(actionAtItemEnd: ItemEndAction.none))
        try await rig.load(film.url, rate: 2)
        try #require(await eventually { rig.player.state.timeline.position > 1.5 })
        #expect(rig.ended == ["item-1"])
        #expect(rig.player.state.rate == 2)
        #expect(rig.player.state.timeControlStatus == .playing)
        #expect(rig.player.state.timeline.effectiveRate == 2)
        try await options(rig, PlaybackOptions(actionAtItemEnd: .advance))
        #expect(rig.player.state.item == nil)
        #expect(rig.ended == ["item-1"])
    }

    @Test func `one item is looped, ending once each round, until told otherwise`() async throws {
        let film = try film()
        let rig = Rig()
        try await options(rig, PlaybackOptions(loop: .one))
        try await rig.load(film.url, at: 0.4, rate: 2)
        try #require(await eventually { rig.ended.count >= 3 })
        #expect(Set(rig.ended) == ["item-1"])
        try await options(rig, PlaybackOptions(loop: LoopMode.none))
        try await rig.idle()
        let events = rig.events
        let jumps = events.compactMap { if case .timeJumped(let jump) = $0 { jump } else { nil } }
        #expect(jumps.allSatisfy { $0.reason == .loop && $0.to == 0 })
        #expect(await eventually { rig.ended.count == jumps.count + 1 })
        #expect(rig.screen.shown.contains { $0.number == 0 })
    }

    @Test func `a film that does not let one go back is opened anew`() async throws {
        let content = try Data(contentsOf: URL(fileURLWithPath: Clips.streamed.path()))
        let server = try FaultServer(content, .noRange)
        let rig = Rig()
        try await options(rig, PlaybackOptions(actionAtItemEnd: .pause))
        try await rig.load(server.url, rate: 2)
        try #require(await eventually { rig.ended == ["item-1"] && rig.player.state.rate == 0 })
        _ = try await rig.player.perform(.play)
        #expect(rig.player.state.timeline.position < 3)
        try #require(await eventually { rig.ended == ["item-1", "item-1"] })
        #expect(rig.screen.shown.count { $0.number == 0 } == 2)
    }

    @Test func `the queue goes round`() async throws {
        let film = try film()
        let rig = Rig(readsNumbers: false)
        try await options(rig, PlaybackOptions(loop: .all))
        try await rig.load(film.url, at: 0.6, rate: 2)
        var second = MediaItem(url: film.url, startPosition: 0.6)
        second.id = "second"
        _ = try await rig.player.perform(.enqueue([second], before: nil))
        try #require(await eventually { rig.ended.starts(with: ["item-1", "second", "item-1", "second"]) })
        _ = try await rig.player.perform(.stop)
    }

    @Test func `everything is told in order, and each state once`() async throws {
        let film = try film()
        let rig = Rig()
        try await options(rig, PlaybackOptions(actionAtItemEnd: .pause))
        try await rig.load(film.url)
        try #require(await eventually { rig.ended.count == 1 && rig.states.last?.rate == 0 })
        try #require(await eventually { if case .rateChanged = rig.events.last { true } else { false } })
        let events = rig.events
        let names = events.map(\.name).filter { $0 != "state" }
        #expect(names == ["rateChanged", "readyForDisplay", "ended", "rateChanged"])
        let states = rig.states
        for (before, after) in zip(states, states.dropFirst()) { #expect(before != after) }
        // A notice that a state brings comes right after it.
        for (index, event) in events.enumerated() {
            guard case .rateChanged(let change) = event else { continue }
            let state = events[..<index].reversed().lazy.compactMap { if case .state(let s) = $0 { s } else { nil } }
                .first
            #expect(state?.rate == change.rate)
        }
    }
}
