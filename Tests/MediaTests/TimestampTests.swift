import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

/// Times as the real world has them: item time begins at 0, runs on, and ends where the media does.
@Suite struct TimestampTests {
    private static var film: Clip {
        var clip = Clip()
        clip.duration = 2
        clip.keyInterval = 25
        clip.fileExtension = "ts"
        return clip
    }

    /// Two seconds of a transport stream whose clock begins at `offset`.
    private static func part(_ offset: Double) throws -> Data {
        var clip = film
        if offset != 0 { clip.more = ["-output_ts_offset", "\(offset)"] }
        return try Data(contentsOf: URL(fileURLWithPath: clip.path()))
    }

    private func demuxer(_ content: Data, type: String = "video/mp2t") throws -> (Demuxer, FaultServer) {
        let server = try FaultServer(content, contentType: type)
        return (try Demuxer(MediaLocation(url: server.url), cancellation: Cancellation()), server)
    }

    /// A clip made another way by ffmpeg.
    private func converted(_ clip: Clip, _ options: [String], to name: String) throws -> Data {
        let folder = try TemporaryFolder()
        let path = folder.path + "/" + name
        try run("ffmpeg", ["-v", "error", "-y", "-i", clip.path()] + options + [path])
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Every picture is 1/25 s after the one before.
    private func expectEven(_ decoded: Decoded, _ count: Int) {
        #expect(abs(decoded.pictureTimes.count - count) <= 1)
        let steps = zip(decoded.pictureTimes, decoded.pictureTimes.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 > 0.01 && $0 < 0.2 }, "\(steps.filter { $0 <= 0.01 || $0 >= 0.2 })")
        #expect((decoded.pictureTimes.first ?? -1) >= -0.001)
    }

    @Test(
        "where the clock of a joined recording jumps, time runs on, and the duration is the sum of its parts",
        arguments: [[0, 40], [0, 100, 0], [0, 0], [100, 0, 50], [0, -1]] as [[Double]])
    func joined(_ offsets: [Double]) throws {
        let content = try offsets.reduce(into: Data()) { $0 += try Self.part(max(0, $1)) }
        let (demuxer, server) = try demuxer(content)
        let decoded = try Decoded(demuxer)
        withExtendedLifetime(server) {}
        expectEven(decoded, 50 * offsets.count)
        let seconds = 2 * Double(offsets.count)
        #expect(abs(try #require(decoded.soundEnd) - seconds) < 0.3)
        #expect(abs(try #require(decoded.pictureTimes.last) - seconds) < 0.3)
        #expect(abs(try #require(demuxer.duration) - seconds) < 0.3)
    }

    @Test("a clock that begins anew after 26 hours is followed", arguments: [95_442.7, 95_441.9, 95_440.5])
    func wrapped(_ offset: Double) throws {
        let (demuxer, server) = try demuxer(Self.part(offset))
        #expect(abs(try #require(demuxer.duration) - 2) < 0.1)
        let decoded = try Decoded(demuxer)
        expectEven(decoded, 50)
        #expect(decoded.numbers == Array(0..<50))
        try demuxer.seek(to: 1.5)
        #expect(try Decoded(demuxer, enough: 1).numbers.first == 25)
        withExtendedLifetime(server) {}
    }

    @Test("pictures whose times go back are put in order")
    func disordered() throws {
        var clip = Self.film
        clip.fileExtension = "mkv"
        let content = try converted(
            clip, ["-c", "copy", "-bsf:v", "setts=pts=PTS+if(mod(N\\,5)\\,0\\,120)"], to: "film.mkv")
        let (demuxer, server) = try demuxer(content, type: "video/x-matroska")
        let decoded = try Decoded(demuxer)
        withExtendedLifetime(server) {}
        #expect(decoded.pictureTimes.count >= 49)
        #expect(zip(decoded.pictureTimes, decoded.pictureTimes.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("without presentation times pictures follow one another")
    func decodeTimesOnly() throws {
        let content = try converted(Self.film, ["-c:v", "mpeg4", "-bf", "2", "-c:a", "mp2"], to: "film.avi")
        let (demuxer, server) = try demuxer(content, type: "video/x-msvideo")
        expectEven(try Decoded(demuxer), 50)
        withExtendedLifetime(server) {}
    }

    @Test("a bare stream without any times plays at its rate")
    func bare() throws {
        let content = try converted(
            Self.film, ["-map", "0:v", "-c", "copy", "-bsf:v", "h264_mp4toannexb"], to: "film.h264")
        let (demuxer, server) = try demuxer(content, type: "video/h264")
        #expect(demuxer.duration == nil)
        expectEven(try Decoded(demuxer), 50)
        withExtendedLifetime(server) {}
    }

    @Test("a film cut with its times left as they were begins at 0 with the picture of the cut")
    func cut() throws {
        var clip = Self.film
        clip.fileExtension = "mp4"
        let folder = try TemporaryFolder()
        try run(
            "ffmpeg",
            ["-v", "error", "-ss", "1.3", "-i", clip.path(), "-c", "copy", "-avoid_negative_ts", "disabled"]
                + [folder.path + "/cut.mp4"])
        let (demuxer, server) = try demuxer(
            Data(contentsOf: URL(fileURLWithPath: folder.path + "/cut.mp4")), type: "video/mp4")
        let decoded = try Decoded(demuxer)
        withExtendedLifetime(server) {}
        #expect(abs(try #require(demuxer.duration) - 0.7) < 0.1)
        // What lies before the cut is there to decode from, and not to be shown.
        let shown = zip(decoded.numbers, decoded.pictureTimes).filter { $1 >= 0 }
        #expect((shown.first?.0 ?? 0) >= 32)
        #expect(abs(try #require(shown.first?.1)) < 0.05)
    }
}
