import Casting
import TestSupport
import Testing

@testable import Media

@Suite struct SeekTests {
    static let kinds = Kind.all.filter { $0.videoCodec != nil }

    @Test("a seek lands on a key frame at or before its target", arguments: kinds)
    func landsOnKeyFrame(_ kind: Kind) throws {
        let demuxer = try FakeServer(path: kind.clip.path()).demuxer("http://server/film." + kind.fileExtension)
        for (target, key) in [(1.5, 25), (0.5, 0), (1.08, 25), (0, 0), (5.0, 25)] {
            try demuxer.seek(to: target)
            let decoded = try Decoded(demuxer, enough: 1)
            #expect(decoded.numbers.first == key, "seek to \(target)")
            #expect(abs(try #require(decoded.pictureTimes.first) - Double(key) / 25) < 0.05)
        }
        try demuxer.seek(to: 1.5)
        #expect(try Decoded(demuxer).numbers == Array(25..<50))
    }

    @Test(
        "sound alone is sought near its target, and its times stay true",
        arguments: Kind.all.filter { $0.videoCodec == nil })
    func seeksSound(_ kind: Kind) throws {
        let demuxer = try FakeServer(path: kind.clip.path()).demuxer("http://server/sound." + kind.fileExtension)
        try demuxer.seek(to: 0.9)
        let decoded = try Decoded(demuxer)
        let start = try #require(decoded.soundStart)
        #expect(start <= 0.91)
        // A page of Ogg holds a second.
        #expect(start > (kind.fileExtension == "ogg" ? -0.1 : 0.3))
        #expect(decoded.loudness(from: 1.02, length: 0.06) > 0.2)
        #expect(decoded.loudness(from: 1.2, length: 0.6) < 0.02)
    }

    @Test("streams that are not selected do not come")
    func selection() throws {
        let demuxer = try FakeServer(path: Kind.all[0].clip.path()).demuxer()
        let audio = try #require(demuxer.streams.first { $0.kind == .audible })
        demuxer.select([audio.index])
        var count = 0
        while let packet = try demuxer.nextPacket() {
            #expect(packet.streamIndex == audio.index)
            count += 1
        }
        #expect(count > 80)
    }
}
