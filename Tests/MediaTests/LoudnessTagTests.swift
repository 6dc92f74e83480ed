import TestSupport
import Testing

@testable import Media

@Suite struct LoudnessTagTests {
    private func tag(_ tags: [String: String]) -> LoudnessTag? { LoudnessTag { tags[$0] } }

    @Test("ReplayGain's tags and Opus's are read, and come to the same loudness")
    func read() {
        #expect(tag(["REPLAYGAIN_TRACK_GAIN": "-7.03 dB"]) == LoudnessTag(gain: -7.03))
        #expect(
            tag(["REPLAYGAIN_TRACK_GAIN": "+2 dB", "REPLAYGAIN_TRACK_PEAK": "0.5"]) == LoudnessTag(gain: 2, peak: 0.5))
        #expect(tag(["R128_TRACK_GAIN": "-1280"]) == LoudnessTag(gain: 0))
    }

    @Test("what is no gain is passed over")
    func nonsense() {
        #expect(tag([:]) == nil)
        #expect(tag(["REPLAYGAIN_TRACK_GAIN": "loud"]) == nil)
        #expect(tag(["REPLAYGAIN_TRACK_GAIN": "-900 dB"]) == nil)
        #expect(tag(["REPLAYGAIN_TRACK_GAIN": "nan"]) == nil)
        #expect(tag(["REPLAYGAIN_TRACK_GAIN": "1", "REPLAYGAIN_TRACK_PEAK": "0"])?.peak == nil)
    }

    @Test(
        "they are found where each container keeps them",
        arguments: [
            ("flac", ["-c:a", "flac"]), ("mp3", ["-c:a", "libmp3lame"]), ("mka", ["-c:a", "flac"]),
            ("ogg", ["-c:a", "libvorbis"]),
        ])
    func containers(_ type: String, _ options: [String]) throws {
        let tone = Tone(options + ["-metadata", "REPLAYGAIN_TRACK_GAIN=-6.02 dB"], fileExtension: type)
        let demuxer = try FakeServer(path: tone.path()).demuxer("http://server/tone." + type)
        #expect(demuxer.streams.first?.loudness?.gain == -6.02)
    }
}
