import Casting
import TestSupport
import Testing

@testable import Playback

@Suite struct LateDeviceTests {
    @Test func `after going back the position is that of the new place, however late the device sounds`() async throws {
        let film = try ClipServer(path: Clips.film(seconds: 20).path())
        let speaker = SilentAudioOutput(
            format: AudioOutputFormat(sampleRate: 48_000, channelCount: 2, latency: 0.2)
        ) { _ in }
        let player = Player(video: FakeScreen(readsNumbers: false), audio: speaker)
        _ = try await player.perform(.load(MediaItem(url: film.url, startPosition: 15)))
        try #require(await eventually { player.state.timeline.position > 15.2 })
        for _ in 0..<2 {
            _ = try await player.perform(.seek(SeekRequest(position: 0.5)))
            // Longer than the device is late, and far from where it was.
            try #require(await eventually { player.state.timeline.position > 0.8 })
            #expect(player.state.timeline.position < 12)
        }
        await player.shutdown()
    }

    @Test func `a first picture that comes late is told of, though the item stands paused`() async throws {
        let film = try ClipServer(path: Clips.film(seconds: 1).path())
        let rig = Rig(readsNumbers: false)
        // Longer than it is waited for.
        rig.screen.setDelay(1.5)
        try await rig.load(film.url, paused: true)
        #expect(await eventually { rig.states.last?.readyForDisplay == true })
        #expect(rig.events.contains { if case .readyForDisplay = $0 { true } else { false } })
        #expect(rig.states.last?.timeControlStatus == .paused)
        #expect(rig.states.last?.videoRect == VideoRect(x: 0, y: 232, width: 1280, height: 256))
    }

    @Test func `how the picture lies on the screen is told with each change of it`() async throws {
        let film = try ClipServer(path: Clips.film(seconds: 1).path())
        let rig = Rig(readsNumbers: false)
        try await rig.load(film.url, paused: true)
        #expect(await eventually { rig.states.last?.videoRect?.height == 256 })
        for (gravity, rect) in [
            (VideoGravity.resizeAspectFill, VideoRect(x: -1160, y: 0, width: 3600, height: 720)),
            (.resize, VideoRect(x: 0, y: 0, width: 1280, height: 720)),
            (.resizeAspect, VideoRect(x: 0, y: 232, width: 1280, height: 256)),
        ] {
            _ = try await rig.player.perform(.nextVideoGravity)
            #expect(rig.player.state.options?.videoGravity == gravity)
            #expect(await eventually { rig.states.last?.videoRect == rect })
        }
        _ = try await rig.player.perform(.stop)
        #expect(rig.player.state.videoRect == nil)
    }
}
