import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

/// Seeks within what is held of an item.
@Suite(.serialized) struct HeldSeekTests {
    private func server(_ clip: Clip = Clips.film(seconds: 24)) throws -> FaultServer {
        try FaultServer(Data(contentsOf: URL(fileURLWithPath: clip.path())))
    }

    /// Waits until the whole item is held.
    private func held(_ rig: Rig) async throws {
        try #require(
            await eventually {
                guard let item = rig.player.state.item, let range = item.loadedTimeRanges.first else { return false }
                return range.end > (item.duration ?? .infinity) - 0.1
            })
    }

    @Test func `within what is loaded no request is made, and pictures are exact`() async throws {
        let server = try server()
        let rig = Rig()
        try await rig.load(server.url, at: 12, paused: true)
        _ = try await rig.seek(0)
        try await held(rig)
        let before = server.requests.count
        for position in [10.0, 20.0, 10.04, 0.52, 23.96, 0] {
            let outcome = try await rig.seek(position)
            #expect(outcome.finished)
            #expect(rig.screen.current?.number == Int(position * 25 + 0.001))
        }
        #expect(server.requests.count == before)
        #expect(rig.player.state.item?.loadedTimeRanges.first?.start == 0)
    }

    @Test func `playback goes on from there without a gap in picture or sound`() async throws {
        let server = try server(Clips.film)
        let rig = Rig()
        try await rig.load(server.url)
        try #require(await eventually { rig.player.state.timeline.position > 2.2 })
        #expect(try await rig.seek(1).finished)
        let shown = rig.screen.shown.count
        let pulled = rig.speaker.pulled.count
        try await rig.idle()
        let numbers = rig.screen.shown.dropFirst(shown).compactMap(\.number)
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.last == 99)
        // The tones of seconds 1, 2 and 3, a second from one to the next.
        let start = Double(pulled) / Double(Speaker.sampleRate)
        let tones = rig.speaker.tones.filter { $0.start > start - 0.05 }
        try #require(tones.count == 3)
        #expect(abs(tones[2].start - tones[0].start - 2) < 0.005)
    }

    @Test func `what can only be played from its start can be gone about in as far as it is held`() async throws {
        let content = try Data(contentsOf: URL(fileURLWithPath: Clips.streamed.path()))
        let server = try FaultServer()
        server.serve("/film.mp4", content, .noRange)
        let rig = Rig()
        try await rig.load(server.url("/film.mp4"), paused: true)
        try await held(rig)
        let before = server.requests.count
        #expect(try await rig.seek(3).finished)
        #expect(rig.screen.current?.number == 75)
        #expect(try await rig.seek(0.52).finished)
        #expect(rig.screen.current?.number == 13)
        #expect(server.requests.count == before)
    }
}
