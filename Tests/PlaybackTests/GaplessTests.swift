import Casting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// Items that follow each other without a gap, and what may come between.
@Suite(.serialized) struct GaplessTests {
    private func item(_ url: String, _ id: String) -> MediaItem {
        var item = MediaItem(url: url)
        item.id = id
        return item
    }

    /// Plays items to the end of the queue, and answers what the loudspeaker got between the silence before and after.
    private func play(_ rig: Rig, _ items: [MediaItem]) async throws -> [Float] {
        _ = try await rig.player.perform(.enqueue(items, before: nil))
        try await rig.idle(within: 60)
        return heard(rig)
    }

    private func heard(_ rig: Rig) -> [Float] {
        let pulled = rig.speaker.pulled
        guard let first = pulled.firstIndex(where: { $0 != 0 }), let last = pulled.lastIndex(where: { $0 != 0 }) else {
            return []
        }
        return Array(pulled[first...last])
    }

    @Test(
        "a sine cut into files is whole again, sample by sample",
        arguments: [("flac", ["-c:a", "flac"]), ("m4a", ["-c:a", "alac"]), ("wav", ["-c:a", "pcm_s16le"])])
    func whole(_ type: String, _ options: [String]) async throws {
        let tone = Tone(options, fileExtension: type)
        let lengths = [70_001, 60_000, 50_003]
        var servers: [ClipServer] = []
        var start = 1
        for length in lengths {
            servers.append(try ClipServer(path: tone.part(from: start, count: length).path()))
            start += length
        }
        let rig = Rig()
        let samples = try await play(rig, servers.enumerated().map { item($1.url, "\($0)") })
        #expect(samples.count == lengths.reduce(0, +))
        for (index, sample) in samples.enumerated() where abs(sample - tone.sample(index + 1)) > 0.001 {
            Issue.record("sample \(index) is \(sample), not \(tone.sample(index + 1))")
            break
        }
        #expect(await eventually { rig.ended == ["0", "1", "2"] })
    }

    @Test(
        "codecs with padding join without a sample too many or too few",
        arguments: [("mp3", ["-c:a", "libmp3lame", "-b:a", "256k"]), ("m4a", ["-c:a", "aac", "-b:a", "256k"])])
    func padded(_ type: String, _ options: [String]) async throws {
        let tone = Tone(options, fileExtension: type)
        let servers = try [0, 72_000].map { try ClipServer(path: tone.part(from: $0, count: 72_000).path()) }
        let samples = try await play(Rig(), servers.enumerated().map { item($1.url, "\($0)") })
        // The first samples of a decoder may be exactly 0, or not quite.
        #expect((144_000 - 4...144_000).contains(samples.count), "\(samples.count)")
        // Second part and first are the same wave; only at the very seam do encoders of two files know nothing of each other.
        let (first, second) = (
            SineFit(samples[9_600..<62_400], frequency: 440), SineFit(samples[81_600..<134_400], frequency: 440)
        )
        let period = 48_000.0 / 440
        #expect(abs((second.offset - first.offset - 72_000).remainder(dividingBy: period)) < 0.5)
        let seam = samples[71_000..<73_000]
        #expect(seam.map(abs).max() ?? 1 < 0.7)
        #expect(longestQuiet(samples) < 100)
    }

    @Test func `another format follows without a gap, and the device stays open`() async throws {
        var other = Tone(["-c:a", "libvorbis"], fileExtension: "ogg")
        (other.sampleRate, other.channelCount, other.sampleCount) = (44_100, 1, 66_150)
        let servers = try [Tone().part(from: 0, count: 72_000), other].map { try ClipServer(path: $0.path()) }
        let samples = try await play(Rig(), servers.enumerated().map { item($1.url, "\($0)") })
        #expect(abs(samples.count - 144_000) < 64, "\(samples.count)")
        #expect(longestQuiet(samples) < 480)
    }

    @Test func `films join with their pictures, the last one staying up until the next`() async throws {
        let servers = try [4.0, 2.0].map { try ClipServer(path: Clips.film(seconds: $0).path()) }
        let rig = Rig()
        _ = try await play(rig, servers.enumerated().map { item($1.url, "\($0)") })
        let tones = rig.speaker.tones
        try #require(tones.count == 6)
        // A tone each second, also over the join; AAC in MP4 may be cut at a millisecond, and at a picture's length.
        for (tone, next) in zip(tones, tones.dropFirst()) {
            #expect(abs(next.start - tone.start - 1) < 0.005, "\(tones)")
        }
        #expect(rig.screen.shown.compactMap(\.number).contains(99))
        #expect(rig.ended.count == 2)
    }

    @Test func `transport streams join but for the padding that they do not tell of`() async throws {
        var clip = Clips.film(seconds: 2)
        clip.fileExtension = "ts"
        let server = try ClipServer(path: clip.path())
        let rig = Rig()
        _ = try await play(rig, [item(server.url, "0"), item(server.url, "1")])
        let tones = rig.speaker.tones
        try #require(tones.count == 4)
        for (tone, next) in zip(tones, tones.dropFirst()) {
            // A frame of AAC at each end is silence, which such a file does not say.
            #expect(abs(next.start - tone.start - 1) < 0.05, "\(tones)")
        }
    }

    @Test func `what takes the next one's place in time is heard instead`() async throws {
        let (low, high) = (Tone(), Tone())
        var other = high
        other.frequency = 880
        let first = try ClipServer(path: low.part(from: 0, count: 192_000).path())
        let dropped = try ClipServer(path: low.part(from: 7, count: 48_000).path())
        let wanted = try ClipServer(path: other.part(from: 0, count: 48_000).path())
        let rig = Rig()
        _ = try await rig.player.perform(.enqueue([item(first.url, "a"), item(dropped.url, "b")], before: nil))
        try #require(await eventually { rig.player.core.withLock { $0.ahead?.isLinked == true } })
        _ = try await rig.player.perform(.dequeue("b"))
        _ = try await rig.player.perform(.enqueue([item(wanted.url, "c")], before: nil))
        try await rig.idle(within: 60)
        let samples = heard(rig)
        #expect(abs(samples.count - 240_000) < 4)
        let fit = SineFit(samples.suffix(48_000), frequency: 880)
        #expect(fit.worst < 0.001, "\(fit)")
        #expect(await eventually { rig.ended == ["a", "c"] })
    }

    @Test func `an item that cannot be played is passed over without a gap, and told when its turn came`() async throws
    {
        let tone = Tone()
        let servers = try [0, 96_000].map { try ClipServer(path: tone.part(from: $0, count: 96_000).path()) }
        let rig = Rig()
        let bad = item(servers[0].url + ".gone", "bad")
        let samples = try await play(rig, [item(servers[0].url, "a"), bad, item(servers[1].url, "c")])
        #expect(abs(samples.count - 192_000) < 4)
        #expect(SineFit(samples, frequency: 440).worst < 0.001)
        let told = rig.events.compactMap { event -> String? in
            switch event {
            case .ended(let id): "ended \(id)"
            case .failed(let id, _): "failed \(id)"
            default: nil
            }
        }
        #expect(told == ["ended a", "failed bad", "ended c"])
    }

    @Test func `pausing, another rate and a seek back with the next one ready do no harm`() async throws {
        let tone = Tone()
        let servers = try [0, 144_000].map { try ClipServer(path: tone.part(from: $0, count: 144_000).path()) }
        let rig = Rig()
        _ = try await rig.player.perform(.enqueue(servers.enumerated().map { item($1.url, "\($0)") }, before: nil))
        try #require(await eventually { rig.player.core.withLock { $0.ahead?.isLinked == true } })
        _ = try await rig.player.perform(.pause)
        _ = try await rig.player.perform(.setRate(2))
        _ = try await rig.seek(0.5)
        _ = try await rig.seek(2.5)
        try await rig.idle(within: 60)
        // From 2.5 s on at twice the rate: 0.25 s of the first and 1.5 s of the second.
        let samples = heard(rig).suffix(72_000)
        #expect(longestQuiet(Array(samples)) < 480)
        #expect(await eventually { rig.ended == ["0", "1"] })
    }

    @Test func `of an item ahead no more is held than it takes to begin`() async throws {
        let servers = try [10.0, 60.0].map { try ClipServer(path: Clips.film(seconds: $0).path()) }
        let rig = Rig()
        _ = try await rig.player.perform(.enqueue(servers.enumerated().map { item($1.url, "\($0)") }, before: nil))
        try #require(await eventually { rig.player.core.withLock { $0.ahead?.isLinked == true } })
        let ahead = try #require(rig.player.core.withLock { $0.ahead?.playback })
        #expect(await eventually { ahead.pipeline.withLock { $0.source.packets.isFull } })
        #expect(ahead.pipeline.withLock { $0.source.packets.readUpTo ?? 0 } < 12)
        _ = try await rig.player.perform(.next)
        // Once it plays it has the whole buffer.
        #expect(await eventually { ahead.pipeline.withLock { $0.source.packets.readUpTo ?? 0 } > 20 })
        _ = try await rig.player.perform(.stop)
    }

    /// The longest run of samples next to silence.
    private func longestQuiet(_ samples: [Float]) -> Int {
        var (longest, run) = (0, 0)
        for sample in samples {
            run = abs(sample) < 0.01 ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}

@Suite struct AheadRuleTests {
    typealias Outlook = AheadRule.Outlook

    @Test func `the next item is opened twenty seconds before the end, or once the network is idle`() {
        #expect(!AheadRule.opens(Outlook(remaining: 100)))
        #expect(AheadRule.opens(Outlook(remaining: 19)))
        #expect(AheadRule.opens(Outlook(remaining: 50, isRead: true)))
        #expect(!AheadRule.opens(Outlook(remaining: 500, isRead: true)))
        // Seconds by the clock, not of the item.
        #expect(AheadRule.opens(Outlook(remaining: 39, rate: 2)))
        #expect(!AheadRule.opens(Outlook(remaining: 19, rate: 0.5)))
        // Live media has no end to be near to.
        #expect(!AheadRule.opens(Outlook(remaining: nil)))
        #expect(!AheadRule.opens(Outlook(remaining: 1, hasFailed: true)))
    }

    @Test func `it is given up after a seek far back, not for a little`() {
        #expect(AheadRule.keeps(Outlook(remaining: 30)))
        #expect(AheadRule.keeps(Outlook(remaining: 70, isRead: true)))
        #expect(!AheadRule.keeps(Outlook(remaining: 600)))
    }
}
