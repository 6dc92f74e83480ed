import Foundation
import TestSupport
import Testing

@testable import Media

/// Codecs put samples before and after the sound; none of them may be heard, and none of the sound be missing.
@Suite struct PaddingTests {
    /// A number that is no multiple of any codec's frame, and a whole number of milliseconds, for MP4 counts in these.
    static let count = 100_032

    struct Format: CustomTestStringConvertible, Sendable {
        var options: [String]
        var type: String
        /// The largest difference from the sine that the codec makes.
        var error: Float
        var testDescription: String { "\(options[1]) in \(type)" }
    }

    static let formats = [
        Format(options: ["-c:a", "libmp3lame", "-b:a", "256k"], type: "mp3", error: 0.05),
        Format(options: ["-c:a", "aac", "-b:a", "256k"], type: "m4a", error: 0.05),
        Format(options: ["-c:a", "libmp3lame", "-b:a", "256k"], type: "mp4", error: 0.05),
        Format(options: ["-c:a", "libopus", "-b:a", "256k"], type: "opus", error: 0.1),
        Format(options: ["-c:a", "libopus", "-b:a", "256k"], type: "webm", error: 0.1),
        Format(options: ["-c:a", "libopus", "-b:a", "256k"], type: "mp4", error: 0.1),
        Format(options: ["-c:a", "libvorbis", "-q:a", "8"], type: "ogg", error: 0.05),
        Format(options: ["-c:a", "flac"], type: "flac", error: 0.001),
        Format(options: ["-c:a", "flac"], type: "ogg", error: 0.001),
        Format(options: ["-c:a", "alac"], type: "m4a", error: 0.001),
        Format(options: ["-c:a", "pcm_s16le"], type: "wav", error: 0.001),
    ]

    @Test("as many samples come out as went in, each at its place", arguments: formats)
    func exact(_ format: Format) throws {
        var tone = Tone(format.options, fileExtension: format.type)
        tone.sampleCount = Self.count
        let decoded = try Decoded(FakeServer(path: tone.path()).demuxer("http://server/tone." + format.type))
        #expect(decoded.sound.count == Self.count)
        #expect(abs(try #require(decoded.soundStart)) < 0.01)
        // An encoder's first and last frames are a little off; where the wave is shows in between.
        let middle = decoded.sound[4_800..<(decoded.sound.count - 4_800)]
        let fit = SineFit(middle, frequency: 440)
        let period = 48_000.0 / 440
        let offset = (fit.offset - 4_800).remainder(dividingBy: period)
        #expect(abs(offset) < 0.5, "the wave is \(offset) samples off")
        #expect(fit.worst < format.error, "\(fit)")
    }

    @Test("what iTunes writes of an AAC file's padding is believed")
    func tag() throws {
        var tone = Tone(["-c:a", "aac", "-b:a", "256k", "-use_editlist", "0"], fileExtension: "m4a")
        tone.sampleCount = Self.count
        let plain = try Data(contentsOf: URL(fileURLWithPath: tone.path()))
        let length = String(Self.count, radix: 16).uppercased()
        let text = " 00000000 00000400 00000140 " + String(repeating: "0", count: 16 - length.count) + length
        #expect(SoundPadding.Tag(text)?.sampleCount == Self.count)
        let tagged = try #require(
            MovieTag.adding("iTunSMPB", text + " 00000000 00000000 00000000 00000000", to: [UInt8](plain)))
        let decoded = try Decoded(FakeServer { _ in Data(tagged) }.demuxer("http://server/tone.m4a"))
        #expect(decoded.sound.count == Self.count)
        #expect(decoded.soundStart == 0)
    }

    @Test(
        "tags that are none are passed over", arguments: ["", " 0 0 0", " 0 zz 0 10", " 0 FFFFFF 0 10", " 0 400 0 0"])
    func noTag(_ text: String) {
        #expect(SoundPadding.Tag(text) == nil)
    }

    @Test("only the last frame is cut, only where the container can tell, and never made longer")
    func rule() {
        let rule = SoundPadding(sampleCount: nil, trustsLastPacket: true)
        func kept(_ rule: SoundPadding, _ duration: Double?, last: Bool, at time: Double = 0) -> Int {
            rule.kept(of: 1024, at: time, sampleRate: 48_000, packetDuration: duration, isLast: last)
        }
        #expect(kept(rule, 600.0 / 48_000, last: true) == 600)
        #expect(kept(rule, 600.0 / 48_000, last: false) == 1024)
        #expect(kept(rule, 2000.0 / 48_000, last: true) == 1024)
        #expect(kept(rule, nil, last: true) == 1024)
        #expect(kept(SoundPadding(), 600.0 / 48_000, last: true) == 1024)
        let counted = SoundPadding(sampleCount: 48_500, trustsLastPacket: true)
        #expect(kept(counted, 600.0 / 48_000, last: false, at: 1) == 500)
        #expect(kept(counted, nil, last: false, at: 0.5) == 1024)
        #expect(kept(counted, nil, last: true, at: 2) == 0)
    }
}

/// Writes iTunes's own tags, which ffmpeg does not.
private enum MovieTag {
    /// The movie, whose index is at its end, with one more tag.
    static func adding(_ name: String, _ text: String, to movie: [UInt8]) -> [UInt8]? {
        var movie = movie
        func number(at place: Int) -> Int { movie[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        func find(_ type: String, from start: Int, to end: Int) -> Int? {
            var place = start
            while place + 8 <= end {
                if Array(movie[place + 4..<place + 8]) == Array(type.utf8) { return place }
                place += max(8, number(at: place))
            }
            return nil
        }
        guard let index = find("moov", from: 0, to: movie.count),
            let user = find("udta", from: index + 8, to: index + number(at: index)),
            let meta = find("meta", from: user + 8, to: user + number(at: user)),
            let list = find("ilst", from: meta + 12, to: meta + number(at: meta))
        else { return nil }
        let tag = box(
            "----",
            box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8)) + box("name", [0, 0, 0, 0] + Array(name.utf8))
                + box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(text.utf8)))
        movie.insert(contentsOf: tag, at: list + number(at: list))
        for place in [index, user, meta, list] {
            movie.replaceSubrange(place..<place + 4, with: bytes(number(at: place) + tag.count))
        }
        return movie
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        bytes(content.count + 8) + Array(type.utf8) + content
    }

    private static func bytes(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }
}
