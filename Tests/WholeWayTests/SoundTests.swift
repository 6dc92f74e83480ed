import Casting
import Foundation
import Sender
import TestSupport
import Testing

/// What the sound device is given when something is changed.
struct SoundTests {
    /// Plays a clip with a tone each second to its end.
    private func play(
        seconds: Double = 4, rate: Double? = nil, prepare: (SessionClient) async throws -> Void = { _ in }
    ) async throws -> Tones {
        let theatre = try await Theatre()
        var clip = Clip()
        clip.duration = seconds
        let server = try ClipServer(path: try clip.path())
        let session = try await theatre.openSession()
        try await prepare(session)
        var item = MediaItem(url: server.url)
        item.rate = rate
        try await session.load(item)
        #expect(try await eventually(within: 20) { try await session.playback().item == nil })
        let file = theatre.sound
        let tone = 0.1 / (rate ?? 1)
        return try await onOwnThread { try Tones(file: file, toneLength: tone) }
    }

    @Test("at another rate it takes another time, and the pitch stays", arguments: [2.0, 0.5])
    func rate(_ rate: Double) async throws {
        let tones = try await play(rate: rate)
        #expect(tones.starts.count == 4)
        for (one, next) in zip(tones.starts, tones.starts.dropFirst()) {
            // The tempo filter moves sounds by up to a window of its own, which is a 24th of a second.
            #expect(abs(Double(next - one) - 48_000 / rate) < 2_100, "\(tones.starts)")
        }
        #expect(abs(tones.frequency - 1_000) < 20, "\(tones.frequency)")
    }

    @Test(
        "with sound off, or the volume at nothing, there is silence",
        arguments: [VolumeRequest(muted: true), VolumeRequest(volume: 0)])
    func silence(_ change: VolumeRequest) async throws {
        let tones = try await play(seconds: 2) { try await $0.setVolume(change) }
        #expect(tones.sampleCount > 48_000)
        #expect(tones.loudest < 0.0001)
    }

    @Test("half the volume is quieter")
    func quieter() async throws {
        let tones = try await play(seconds: 2) { try await $0.setVolume(VolumeRequest(volume: 0.5)) }
        #expect((0.02...0.4).contains(tones.loudest), "\(tones.loudest)")
    }
}
