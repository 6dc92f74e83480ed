import Casting
import Testing

@testable import Media

@Suite struct DecisionTests {
    @Test(
        "origins are told apart",
        arguments: [
            ("http://a/x", "http://a:80/y", true), ("https://a/x", "http://a/x", false),
            ("http://A/", "http://a", true),
            ("http://[fe80::1%25eth0]:8080/", "http://[fe80::1%25eth0]:8080/x", true),
            ("http://user@a/", "http://a/", true), ("http://a:81/", "http://a/", false),
            ("http://a.evil/", "http://a/", false), ("http://a\\\\@b/", "http://b/", false),
        ])
    func origins(_ first: String, _ second: String, _ same: Bool) {
        #expect((Origin(first) == Origin(second)) == same)
    }

    @Test(
        "the demuxer follows the bytes, and for bytes that could be anything what people say",
        arguments: [
            ("mov", 100, nil, "/a.mp3", "mov"), ("amrnb", 26, nil, "/a.mp3", "mp3"), (nil, 0, nil, "/a.txt", nil),
            (nil, 0, "audio/mpeg", "/a", "mp3"), ("tty", 25, nil, "/a.txt", nil),
            ("image2", 50, nil, "/a.png", "png_pipe"),
            ("aac", 51, "audio/mpeg", "/a", "aac"), ("aac", 25, "Audio/MPEG; x=y", "/a", "mp3"),
        ] as [(String?, Int, String?, String, String?)])
    func format(_ probed: String?, _ score: Int, _ type: String?, _ path: String, _ want: String?) {
        let choice = FormatChoice.demuxer(
            probed: probed, score: score, contentTypes: [type].compactMap { $0 }, path: path)
        #expect(choice == want)
    }

    @Test("a claimed duration is believed only where it can be")
    func durations() {
        #expect(DurationClaim(seconds: 100, byteCount: 1_000_000).believable == 100)
        #expect(DurationClaim(seconds: 143_165, byteCount: 100_000).believable == nil)
        #expect(DurationClaim(seconds: 1e12, byteCount: nil).believable == nil)
        #expect(DurationClaim(seconds: -1, byteCount: nil).believable == nil)
        #expect(DurationClaim(seconds: 100, byteCount: nil).believable == 100)
    }

    @Test(
        "pixels are stretched to a believable picture",
        arguments: [
            (720, 576, [16.0 / 11], 1047, 576), (720, 576, [nil, 16.0 / 15], 768, 576), (720, 576, [100], 720, 576),
            (720, 576, [100, 16.0 / 15], 768, 576), (4000, 500, [1], 4000, 500), (640, 480, [0.5], 640, 960),
            (720, 576, [32.0 / 17], 1355, 576),
        ] as [(Int, Int, [Double?], Int, Int)])
    func sizes(_ width: Int, _ height: Int, _ aspects: [Double?], _ wantWidth: Int, _ wantHeight: Int) {
        let size = Geometry.displaySize(
            width: width, height: height, pixelAspects: aspects, orientation: Orientation())
        #expect(size == Size(width: wantWidth, height: wantHeight))
        let turned = Geometry.displaySize(
            width: width, height: height, pixelAspects: aspects, orientation: Orientation(rotation: 90))
        #expect(turned == Size(width: wantHeight, height: wantWidth))
    }

    @Test("of a master playlist the best sensible variant stays, with its sound")
    func masterPlaylist() throws {
        let text = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="low",NAME="a, b",URI="low.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="en",URI="high.m3u8"
            #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="cc",INSTREAM-ID="CC1"
            #EXT-X-STREAM-INF:BANDWIDTH=90000,CODECS="mp4a.40.2"
            sound.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=640x360,AUDIO="low"
            small.m3u8
            #EXT-X-STREAM-INF:AUDIO="high",BANDWIDTH=5000000,RESOLUTION=1920x1080,CODECS="avc1.64,mp4a"
            full.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=6000000,RESOLUTION=1920x1080,VIDEO-RANGE=PQ
            hdr.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=9000000,RESOLUTION=3840x2160,AUDIO="high"
            huge.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,URI="i.m3u8"
            """
        let reduced = try #require(MasterPlaylist(text)).reduced
        #expect(reduced.contains("full.m3u8"))
        #expect(reduced.contains("high.m3u8"))
        for name in ["sound", "small", "hdr", "huge", "low", "i.m3u8\"", "CLOSED"] { #expect(!reduced.contains(name)) }
        #expect(MasterPlaylist("#EXTM3U\n#EXTINF:4,\na.ts\n") == nil)
        let torn =
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXT-X-STREAM-INF:BANDWIDTH=2\nb"
        #expect(try #require(MasterPlaylist(torn)).reduced == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2\nb")
    }

    @Test("a file cut short is told from one that ends, for the streams that were read")
    func completeness() {
        var whole = Completeness(promised: [0: 10, 1: 10])
        #expect(!whole.isShort)
        whole.note(0, end: 4)
        #expect(whole.isShort)
        whole.note(1, end: 9.5)
        #expect(!whole.isShort)
        whole.restart()
        #expect(!whole.isShort)
        let matroska: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x82, 0, 0, 0x18, 0x53, 0x80, 0x67, 0x40, 0x10, 1]
        #expect(MatroskaSegment.end(beginning: matroska) == Int64(29))
        #expect(MatroskaSegment.end(beginning: Array(matroska.prefix(11)) + [0xFF]) == nil)
        #expect(MatroskaSegment.end(beginning: [0, 0, 0, 0x20]) == nil)
    }

    @Test("streams whose clocks jump one after the other stay together")
    func discontinuities() {
        var clocks = Discontinuities()
        #expect(clocks.shift(stream: 0, time: 100, duration: 0.04) == 0)
        #expect(clocks.shift(stream: 1, time: 100, duration: 0.02) == 0)
        #expect(clocks.shift(stream: 0, time: 105, duration: 0.04) == 0)
        #expect(abs(clocks.shift(stream: 0, time: 0, duration: 0.04) - 105.04) < 1e-9)
        #expect(clocks.shift(stream: 1, time: 105, duration: 0.02) == 0)
        #expect(abs(clocks.shift(stream: 1, time: 0.01, duration: 0.02) - 105.04) < 1e-9)
        #expect(abs(clocks.shift(stream: 0, time: 0.04, duration: 0.04) - 105.04) < 1e-9)
    }

    @Test("an MP4 file's index is found to be before its media or after it")
    func movieBoxes() {
        func box(_ name: String, _ size: Int) -> [UInt8] {
            [0, 0, UInt8(size >> 8), UInt8(size & 255)] + Array(name.utf8) + [UInt8](repeating: 0, count: size - 8)
        }
        #expect(MovieBoxes.indexFollowsMedia(beginning: box("ftyp", 32) + box("free", 8) + box("mdat", 100)))
        #expect(!MovieBoxes.indexFollowsMedia(beginning: box("ftyp", 32) + box("moov", 100)))
        #expect(!MovieBoxes.indexFollowsMedia(beginning: [UInt8](repeating: 0, count: 40)))
        #expect(
            !MovieBoxes.indexFollowsMedia(
                beginning: [0, 0, 0, 1] + Array("free".utf8) + [UInt8](repeating: 255, count: 40)))
        #expect(!MovieBoxes.indexFollowsMedia(beginning: []))
    }

    @Test("this build plays what it has to")
    func capabilities() {
        for name in ["mp4", "mkv", "webm", "ts", "flv", "ogg", "mp3", "flac", "wav", "m4a", "hls", "dash"] {
            #expect(MediaCapabilities.containers.contains(name))
        }
        for name in ["h264", "hevc", "vp8", "vp9", "av1", "mpeg2video", "mpeg4", "theora"] {
            #expect(MediaCapabilities.videoCodecs.contains(name))
        }
        for name in ["aac", "mp3", "opus", "vorbis", "flac", "ac3", "eac3", "dts", "pcm_s16le"] {
            #expect(MediaCapabilities.audioCodecs.contains(name))
        }
    }
}
