import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

/// URLs that run out while they play, and what a playing item says of its network.
@Suite(.serialized) struct RenewalTests {
    /// A film behind a token, by far too slow to be there before the token runs out.
    private func stage() throws -> FaultServer {
        let content = try Data(contentsOf: URL(fileURLWithPath: Clips.streamed.path()))
        let server = try FaultServer()
        server.serve("/film.mp4", content, .tokenRequired(orStatus: 403, bytesPerSecond: content.count / 12))
        server.setValid(queries: ["t=1"])
        return server
    }

    private func expiries(_ rig: Rig) -> [URLExpiry] {
        rig.events.compactMap { if case .urlExpired(let expiry) = $0 { expiry } else { nil } }
    }

    @Test func `the sender is told once, hands over a fresh URL, and the film goes on where it was`() async throws {
        let server = try stage()
        // However busy the machine is, the test must not be what lets it run out.
        var settings = PlayerSettings()
        settings.renewalTimeout = 120
        let rig = Rig(readsNumbers: false, settings: settings)
        try await rig.load(server.url("/film.mp4?t=1"))
        server.setValid(queries: ["t=2"])
        server.setFault(.tokenRequired(orStatus: 403, bytesPerSecond: 10 << 20), at: "/film.mp4")
        server.goAway()
        server.comeBack()
        try #require(await eventually(within: 20) { !expiries(rig).isEmpty })
        #expect(expiries(rig) == [URLExpiry(itemID: "item-1", status: 403, timeout: 120)])
        let renewal = SourceRenewal(url: server.url("/film.mp4?t=2"))
        _ = try await rig.player.perform(.renewSource(renewal))
        #expect(rig.player.queue.first?.url == renewal.url)
        try await rig.idle(within: 60)
        #expect(rig.ended == ["item-1"], "\(rig.player.errorLog.events)")
        #expect(expiries(rig).count == 1)
        #expect(rig.screen.shown.last?.time ?? 0 > 3.9)
        #expect(!rig.player.errorLog.events.isEmpty)
        #expect(rig.player.errorLog.events.contains { $0.errorStatusCode == 403 })
    }

    @Test func `without a fresh URL it fails as expired, after what was loaded has been seen`() async throws {
        let server = try stage()
        var settings = PlayerSettings()
        settings.renewalTimeout = 0.3
        let rig = Rig(readsNumbers: false, settings: settings)
        try await rig.load(server.url("/film.mp4?t=1"))
        server.setValid(queries: [])
        server.goAway()
        server.comeBack()
        try #require(await eventually(within: 20) { rig.player.state.item?.status == .failed })
        #expect(rig.player.state.item?.error?.code == .urlExpired)
    }

    @Test func `a fresh URL for what is not there is refused`() async throws {
        let rig = Rig()
        await #expect(throws: CastError.self) {
            try await rig.player.perform(.renewSource(SourceRenewal(url: "http://h/a")))
        }
        let film = try ClipServer(path: Clips.film.path())
        try await rig.load(film.url, paused: true)
        let error = await #expect(throws: CastError.self) {
            try await rig.player.perform(.renewSource(SourceRenewal(url: "http://h/a", itemID: "nobody")))
        }
        #expect(error?.code == .notFound)
    }

    @Test func `what was played is in the access log, an entry for each stretch`() async throws {
        let film = try ClipServer(path: Clips.film.path())
        let rig = Rig(readsNumbers: false)
        #expect(rig.player.accessLog.events.isEmpty)
        try await rig.load(film.url)
        try await rig.playing()
        #expect(await eventually { rig.player.accessLog.events.first?.durationWatched ?? 0 > 0.1 })
        _ = try await rig.seek(2)
        #expect(await eventually { rig.player.accessLog.events.count == 2 })
        try await rig.idle()
        let events = rig.player.accessLog.events
        #expect(events.count == 2)
        #expect(rig.player.accessLog.itemID == "item-1")
        #expect(events[0].playbackStartOffset < 0.5)
        #expect(events[1].playbackStartOffset >= 1.9)
        #expect(events[0].startupTime ?? -1 > 0)
        #expect(events[0].numberOfMediaRequests > 0)
        #expect(events[0].numberOfBytesTransferred > 1000)
        #expect(events[0].serverAddress == "127.0.0.1")
        #expect(events[0].playbackSessionID == events[1].playbackSessionID)
        #expect(rig.player.errorLog.events.isEmpty)
    }

    @Test func `what is on a server that sends the whole only may take longer to load than others`() async throws {
        let content = try Data(contentsOf: URL(fileURLWithPath: Clips.film.path()))
        let server = try FaultServer(content, .noRangeAndSlow(bytesPerSecond: content.count / 2))
        var settings = PlayerSettings()
        settings.loadTimeout = 0.5
        let rig = Rig(readsNumbers: false, settings: settings)
        try await rig.load(server.url, paused: true)
        #expect(rig.player.state.item?.status == .readyToPlay)
        #expect(rig.player.state.item?.seekableTimeRanges.isEmpty == false)
    }
}
