import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

extension Clips {
    /// The film with two sounds: a tone of 440 Hz in English, and one of 1,500 Hz in French.
    static func twoTones(seconds: Double = 8, as fileExtension: String = "mkv") -> Clip {
        var clip = film(seconds: seconds)
        clip.audio = ["-c:a", "aac", "-b:a", "96k"]
        clip.more = [
            "-filter_complex", "sine=f=440:r=48000[a];sine=f=1500:r=48000[b]", "-map", "0:v", "-map", "[a]", "-map",
            "[b]",
            "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=fre", "-shortest",
        ]
        clip.fileExtension = fileExtension
        return clip
    }
}

@Suite(.timeLimit(.minutes(2))) struct TrackSwitchingTests {
    private func option(_ rig: Rig) -> String? {
        rig.player.state.item?.mediaSelectionGroups?.first { $0.characteristic == .audible }?.selected
    }

    /// The tones that were heard one after the other, and the longest silence after the first.
    private func heard(_ rig: Rig) -> (tones: [Double], silence: Double) {
        let stretch = Speaker.sampleRate / 50
        let all = Pitch.heard(rig.speaker.pulled, of: [440, 1500], sampleRate: Speaker.sampleRate, stretch: stretch)
        let known = all.drop { $0 == nil }
        var tones: [Double] = []
        var (silence, longest) = (0, 0)
        for tone in known {
            silence = tone == nil ? silence + 1 : 0
            longest = max(longest, silence)
            if let tone, tone != tones.last { tones.append(tone) }
        }
        return (tones, Double(longest) / 50)
    }

    @Test("Another sound takes over while playing, and position and rate stay", arguments: ["mkv", "mp4"])
    func switching(container: String) async throws {
        let server = try ClipServer(path: try Clips.twoTones(as: container).path())
        let rig = Rig()
        try await rig.load(server.url)
        try await rig.playing()
        #expect(option(rig) == "1")
        try #require(await eventually { rig.player.state.timeline.position > 1 })
        let before = rig.player.state
        let start = HostTime.now
        _ = try await rig.player.perform(.selectTrack(.option("2"), of: .audible))
        let after = rig.player.state
        #expect(option(rig) == "2")
        #expect(after.rate == 1)
        let passed = HostTime.now.seconds(since: start)
        let moved = after.timeline.position - before.timeline.position
        #expect(moved >= -0.001 && moved <= passed + 0.1, "\(moved) in \(passed)")
        let answered = Double(rig.speaker.pulled.count) / Double(Speaker.sampleRate)
        try #require(await eventually { heard(rig).tones.count == 2 })
        let frames = rig.screen.shown.count
        try #require(await eventually { rig.screen.shown.count > frames + 10 })
        // And back at once.
        _ = try await rig.player.perform(.nextTrack(of: .audible))
        #expect(option(rig) == "1")
        try #require(await eventually { heard(rig).tones.count == 3 })
        let result = heard(rig)
        #expect(result.tones == [440, 1500, 440])
        #expect(result.silence <= 1, "\(result.silence) s of silence, answered at \(answered)")
        let position = rig.player.state.timeline.position
        #expect(position >= after.timeline.position)
        #expect(rig.player.state.timeControlStatus == .playing)
        #expect(rig.events.contains { if case .selectionChanged = $0 { true } else { false } })
        #expect(!rig.events.contains { if case .timeJumped = $0 { true } else { false } })
        // No picture was shown out of order.
        let numbers = rig.screen.shown.compactMap(\.number)
        #expect(numbers == numbers.sorted())
    }

    @Test("What is chosen while paused is heard when playback goes on")
    func paused() async throws {
        let server = try ClipServer(path: try Clips.twoTones().path())
        let rig = Rig()
        try await rig.load(server.url, at: 2, paused: true)
        _ = try await rig.player.perform(.selectTrack(.option("2"), of: .audible))
        #expect(rig.player.state.timeControlStatus == .paused)
        #expect(abs(rig.player.state.timeline.position - 2) < 0.05)
        _ = try await rig.player.perform(.play)
        try #require(await eventually { !heard(rig).tones.isEmpty })
        #expect(heard(rig).tones == [1500])
        // A seek keeps the choice.
        _ = try await rig.seek(5)
        let count = rig.speaker.pulled.count
        try #require(await eventually { rig.speaker.pulled.count > count + Speaker.sampleRate / 2 })
        #expect(heard(rig).tones == [1500])
    }

    @Test("What is chosen while the item stands at its end is heard from the next seek on")
    func atEnd() async throws {
        let server = try ClipServer(path: try Clips.twoTones(seconds: 2).path())
        let rig = Rig()
        _ = try await rig.player.perform(.setOptions(PlaybackOptions(actionAtItemEnd: .pause)))
        try await rig.load(server.url, at: 1)
        try #require(await eventually { !rig.ended.isEmpty && rig.player.state.timeControlStatus == .paused })
        _ = try await rig.player.perform(.selectTrack(.option("2"), of: .audible))
        #expect(option(rig) == "2")
        let state = rig.player.state
        #expect(state.timeControlStatus == .paused && abs(state.timeline.position - (state.item?.duration ?? 0)) < 0.06)
        #expect(rig.ended.count == 1)
        #expect(heard(rig).tones == [440])
        _ = try await rig.seek(0.5)
        _ = try await rig.player.perform(.play)
        try #require(await eventually { rig.ended.count == 2 })
        #expect(heard(rig).tones == [440, 1500])
        #expect(option(rig) == "2")
    }

    @Test("The item's languages choose at the start, and the sender may not ask for what is not there")
    func languages() async throws {
        let server = try ClipServer(path: try Clips.twoTones().path())
        let rig = Rig()
        var item = MediaItem(url: server.url, paused: true)
        item.preferredLanguages = ["fr-CA"]
        _ = try await rig.player.perform(.load(item))
        #expect(option(rig) == "2")
        let group = try #require(rig.player.state.item?.mediaSelectionGroups?.first)
        #expect(group.options.map(\.language) == ["en", "fr"])
        #expect(group.options.map(\.name) == ["English", "French"])
        #expect(group.automatic)
        let error = try await #require(throws: CastError.self) {
            _ = try await rig.player.perform(.selectTrack(.option("0"), of: .audible))
        }
        #expect(error.code == .invalidRequest)
        let idle = Rig()
        let nothing = try await #require(throws: CastError.self) {
            _ = try await idle.player.perform(.selectTrack(.automatic, of: .audible))
        }
        #expect(nothing.code == .noCurrentItem)
    }

    @Test("Of HLS only the sound that is heard is loaded, and another one can be changed to")
    func hls() async throws {
        let folder = try TemporaryFolder()
        let clip = try Clips.twoTones(seconds: 12).path()
        try run(
            "ffmpeg",
            [
                "-v", "error", "-i", clip, "-map", "0", "-c", "copy", "-f", "hls", "-hls_time", "2", "-hls_list_size",
                "0",
                "-var_stream_map", "v:0,agroup:s a:0,agroup:s,language:en,default:yes a:1,agroup:s,language:fr",
                folder.path + "/s%v.m3u8",
            ])
        let master = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="English",DEFAULT=YES,LANGUAGE="en",URI="s1.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="French",LANGUAGE="fr",URI="s2.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=640x128,AUDIO="s"
            s0.m3u8

            """
        try master.write(toFile: folder.path + "/master.m3u8", atomically: true, encoding: .utf8)
        let server = try ClipServer(folder: folder.path, film: "master.m3u8")
        let rig = Rig()
        try await rig.load(server.url)
        try await rig.playing()
        let group = try #require(rig.player.state.item?.mediaSelectionGroups?.first)
        #expect(group.options.map(\.language) == ["en", "fr"])
        let other = try #require(group.options.last?.id)
        try #require(await eventually { rig.player.state.timeline.position > 0.5 })
        let before = rig.player.state.timeline.position
        _ = try await rig.player.perform(.selectTrack(.option(other), of: .audible))
        #expect(option(rig) == other)
        try #require(await eventually { heard(rig).tones.count == 2 })
        #expect(heard(rig).tones == [440, 1500])
        let after = rig.player.state.timeline.position
        #expect(after >= before - 0.1 && after < before + 6)
    }
}
