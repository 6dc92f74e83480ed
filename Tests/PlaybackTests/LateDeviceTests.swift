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
}
