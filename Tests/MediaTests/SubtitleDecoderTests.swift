import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite("Text in films", .enabled(if: sharedMedia != nil, "the folder of media made by others is not here"))
struct SubtitleDecoderTests {
    /// The cues of a film's first stream of text.
    private func cues(_ path: String) throws -> (cues: [SubtitleCue], script: SubtitleScript) {
        let server = try FakeServer(path: #require(sharedMedia) + "/" + path)
        let demuxer = try server.demuxer("http://server/" + path)
        let stream = try #require(demuxer.streams.first { $0.kind == .legible })
        let decoder = try SubtitleDecoder(stream)
        demuxer.select(demuxer.selectedStreams.union([stream.index]))
        var cues: [SubtitleCue] = []
        while let packet = try demuxer.nextPacket() {
            if packet.streamIndex == stream.index { cues += decoder.decode(packet) }
        }
        return (cues, decoder.script)
    }

    @Test("SubRip with zeros at its end has none of them on the screen")
    func zeros() throws {
        let (cues, _) = try cues("mkv/sample_with_null_terminated_srt.mkv")
        let words = cues.flatMap(\.lines).map(\.words)
        #expect(!words.isEmpty)
        #expect(!words.contains { $0.contains("\0") || $0.contains("\u{FFFD}") })
    }

    @Test("WebVTT by Matroska's present name is read although FFmpeg does not know it")
    func webVTT() throws {
        let (cues, script) = try cues("mkv/sample_with_vtt_subtitles.mkv")
        #expect(cues.flatMap(\.lines).map(\.words) == ["This is the first subtitle."])
        #expect(script.stacksUpwards)
    }

    @Test("PGS: a bitmap on its canvas, taken down by an empty set")
    func pgs() throws {
        let (cues, script) = try cues("mkv/sample_with_pgs_subtitles.mkv")
        #expect(script.replaces)
        #expect(cues.count == 2)
        guard case .bitmaps(let bitmaps, let canvas) = cues[0].content else { throw CastError(.unknown, "no bitmap") }
        #expect(canvas == Size(width: 1280, height: 720))
        #expect(bitmaps.first.map { $0.indices.count == $0.width * $0.height && $0.y > 360 } == true)
        #expect(cues[0].end == nil)
        #expect(cues[1].isEmpty)
        #expect(abs(cues[1].start - 1.24) < 0.05)
    }

    @Test("VobSub in MP4: a bitmap on its canvas")
    func vobSub() throws {
        let (cues, _) = try cues("mp4/sample_with_vobsub.mp4")
        guard case .bitmaps(let bitmaps, let canvas)? = cues.first?.content else {
            throw CastError(.unknown, "no bitmap")
        }
        #expect(canvas == Size(width: 1280, height: 720))
        #expect(!bitmaps.isEmpty)
    }

    @Test("An author's script keeps its styles")
    func ass() throws {
        let (cues, script) = try cues("mkv/sample_with_ass_subtitles.mkv")
        #expect(script.isStyled)
        #expect(script.header.contains("[V4+ Styles]"))
        #expect(cues.count == 1)
    }

    @Test("Captions hidden in the pictures are found and read")
    func captions() throws {
        let path = "mp4/fragmented_captions.mp4"
        let server = try FakeServer(path: #require(sharedMedia) + "/" + path)
        let demuxer = try server.demuxer("http://server/" + path)
        let stream = try #require(demuxer.streams.first { $0.kind == .visual })
        let (video, decoder) = (try VideoDecoder(stream), try SubtitleDecoder.captions())
        var cues: [SubtitleCue] = []
        func take() throws {
            while let frame = try video.receive() {
                if let packet = ClosedCaptions.packet(of: frame) { cues += decoder.decode(packet) }
            }
        }
        while let packet = try demuxer.nextPacket() {
            try video.send(packet)
            try take()
        }
        try video.send(nil)
        try take()
        #expect(cues.contains { !$0.isEmpty }, "\(cues.count) cues")
    }
}

@Suite("Text after a seek") struct SubtitleSeekTests {
    @Test("the cue that is under way at a seek's target is brought along, though its key frame is not")
    func underWay() throws {
        let folder = try TemporaryFolder()
        let text = "1\n00:00:04,500 --> 00:00:09,000\nunder way\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/a.srt"))
        var clip = Clip()
        clip.duration = 12
        clip.height = 128
        let film = folder.path + "/film.mkv"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-i", try clip.path(), "-i", folder.path + "/a.srt", "-map", "0", "-map", "1", "-c",
                "copy", film,
            ])
        let server = try FakeServer(path: film)
        let demuxer = try server.demuxer("http://server/film.mkv")
        let stream = try #require(demuxer.streams.first { $0.kind == .legible })
        demuxer.select(demuxer.selectedStreams.union([stream.index]))
        func texts(wanted: Set<Int>) throws -> (count: Int, firstPicture: Double?) {
            demuxer.textUnderWay = wanted
            try demuxer.seek(to: 8.2)
            var (count, first): (Int, Double?) = (0, nil)
            while let packet = try demuxer.nextPacket() {
                if packet.streamIndex == stream.index { count += 1 }
                if packet.streamIndex == 0 { first = first ?? packet.presentationTime }
            }
            return (count, first)
        }
        let without = try texts(wanted: [])
        let with = try texts(wanted: [stream.index])
        #expect(without.count == 0)
        #expect(with.count == 1)
        #expect(with.firstPicture == without.firstPicture)
    }
}
