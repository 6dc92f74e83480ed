import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

/// What happens when media comes too slowly, or not at all.
@Suite(.serialized) struct StallTests {
    /// A server that sends a film slowly.
    private struct Tap {
        let server: FaultServer
        let url: String
        static let path = "/film.mp4"

        /// - Parameter share: how fast the film comes, as a part of what it takes to play it.
        init(share: Double, seconds: Double = 4) throws {
            let path = try Clips.heavy(seconds: seconds).path()
            let content = try Data(contentsOf: URL(fileURLWithPath: path))
            server = try FaultServer()
            server.serve(Self.path, content, .slow(bytesPerSecond: Int(share * Double(content.count) / seconds)))
            url = server.url(Self.path)
        }
    }

    private func set(_ rig: Rig, waits: Bool) async throws {
        _ = try await rig.player.perform(.setOptions(PlaybackOptions(automaticallyWaitsToMinimizeStalling: waits)))
    }

    private func stalls(_ rig: Rig) -> Int {
        rig.events.count { if case .stalled = $0 { true } else { false } }
    }

    @Test func `from an origin half as fast as needed it starts once half is there, and never stalls`() async throws {
        let tap = try Tap(share: 0.5)
        let rig = Rig(readsNumbers: false)
        try await rig.load(tap.url)
        try #require(await eventually(within: 40) { rig.states.contains { $0.timeControlStatus == .playing } })
        let state = rig.states.first { $0.timeControlStatus == .playing }
        let loaded = state?.item?.loadedTimeRanges.last?.end ?? 0
        #expect(loaded >= 1.9)
        try await rig.idle(within: 40)
        #expect(stalls(rig) == 0)
        #expect(rig.states.contains { $0.reasonForWaitingToPlay == .toMinimizeStalls })
        // While it waits, nothing moves.
        for state in rig.states where state.timeControlStatus == .waitingToPlayAtSpecifiedRate {
            #expect(state.timeline.effectiveRate == 0)
            #expect(state.rate == 1)
        }
    }

    @Test func `not to wait, it starts with what is there, and running dry pauses it`() async throws {
        let tap = try Tap(share: 0.4)
        let rig = Rig(readsNumbers: false)
        try await set(rig, waits: false)
        try await rig.load(tap.url)
        try #require(await eventually(within: 20) { stalls(rig) == 1 })
        let state = try #require(rig.states.last)
        #expect(state.timeControlStatus == .paused)
        #expect(state.rate == 0)
        #expect(state.statistics.stalls == 1)
        #expect(rig.states.allSatisfy { $0.reasonForWaitingToPlay != .toMinimizeStalls })
        let change = rig.events.compactMap { if case .rateChanged(let change) = $0 { change } else { nil } }.last
        #expect(change == RateChange(itemID: "item-1", rate: 0, reason: .stalled))
        // It does not go on by itself, but when asked to.
        try #require(await eventually { rig.player.state.item?.loadedTimeRanges.isEmpty == false })
        #expect(rig.player.state.rate == 0)
        _ = try await rig.player.perform(.play)
        try #require(await eventually { rig.player.state.timeControlStatus == .playing || stalls(rig) == 2 })
    }

    @Test func `no longer to wait, it plays at once what is there`() async throws {
        let tap = try Tap(share: 0.3, seconds: 8)
        let rig = Rig(readsNumbers: false)
        try await rig.load(tap.url)
        try #require(
            await eventually(within: 20) { rig.player.state.reasonForWaitingToPlay == .toMinimizeStalls })
        try await set(rig, waits: false)
        try #require(
            await eventually { rig.states.contains { $0.timeControlStatus == .playing } })
        #expect(rig.player.state.options?.automaticallyWaitsToMinimizeStalling == false)
    }

    @Test func `to play immediately it waits for nothing, once`() async throws {
        let tap = try Tap(share: 0.3, seconds: 8)
        let rig = Rig(readsNumbers: false)
        try await rig.load(tap.url, paused: true)
        _ = try await rig.player.perform(.playImmediately(rate: 1.5))
        try #require(
            await eventually { rig.states.contains { $0.timeControlStatus == .playing && $0.rate == 1.5 } })
        // Dry again, it waits as ever.
        try #require(
            await eventually(within: 20) { rig.player.state.reasonForWaitingToPlay == .toMinimizeStalls })
        #expect(rig.player.state.rate == 1.5)
        #expect(await eventually { stalls(rig) == 1 })
    }

    @Test(arguments: [true, false])
    func `a server that goes is waited for once all that came has been played`(comesBack: Bool) async throws {
        let path = try Clips.heavy(seconds: 4).path()
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        let server = try FaultServer()
        server.serve("/film.mp4", content, .stallAfter(fraction: 0.6, times: 1))
        var settings = PlayerSettings()
        settings.sourceGrace = comesBack ? 30 : 2
        let rig = Rig(readsNumbers: false, settings: settings)
        try await rig.load(server.url("/film.mp4"))
        try await rig.playing()
        server.goAway()
        try #require(await eventually(within: 20) { stalls(rig) == 1 })
        let stall = rig.player.state
        #expect(stall.reasonForWaitingToPlay == .toMinimizeStalls)
        #expect(stall.item?.bufferEmpty == true)
        #expect(stall.item?.error == nil)
        #expect(stall.timeline.position > 1.5)
        if comesBack {
            server.comeBack()
            try await rig.idle(within: 30)
            #expect(rig.ended == ["item-1"])
            #expect(rig.player.state.timeline.position == 0)
            #expect(rig.player.state.timeline.effectiveRate == 0)
        } else {
            try #require(await eventually(within: 20) { rig.player.state.item?.status == .failed })
            #expect(rig.player.state.item?.error?.code == .noLongerPlayable)
            // The last of what came is shown, and the place is kept.
            let rest = rig.player.state.timeline.position - stall.timeline.position
            #expect(rest >= 0 && rest < 1)
        }
    }

    @Test func `a stall is told once, and while it lasts the position stands`() async throws {
        let path = try Clips.streamed.path()
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        let server = try FaultServer()
        server.serve("/film.mp4", content, .stallAfter(fraction: 0.6, times: 1))
        let rig = Rig(readsNumbers: false)
        try await rig.load(server.url("/film.mp4"), rate: 2)
        try #require(await eventually { stalls(rig) == 1 })
        let before = rig.player.state
        #expect(before.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        #expect(before.reasonForWaitingToPlay == .toMinimizeStalls)
        #expect(before.rate == 2)
        try await Task.sleep(for: .milliseconds(200))
        let after = rig.player.state
        if after.timeControlStatus != .playing { #expect(after.timeline.position == before.timeline.position) }
        _ = try await rig.player.perform(.stop)
        #expect(stalls(rig) == 1)
    }
}
