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

    @Test("twelve hours are exact to the millisecond")
    func twelveHours() throws {
        var clip = Clip()
        clip.duration = 10
        clip.keyInterval = 25
        // Less than a hundred bits a second would not be believed.
        clip.video = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-qp", "10"]
        let jump = 43_190
        let folder = try TemporaryFolder()
        let path = folder.path + "/film.mp4"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-i", try clip.path(), "-c", "copy", "-bsf:v",
                "setts=pts='PTS+if(gte(N,125),\(jump)/TB,0)':dts='DTS+if(gte(N,125),\(jump)/TB,0)'",
                "-bsf:a", "setts=ts='TS+if(gte(TS*TB,5),\(jump)/TB,0)'", "-max_interleave_delta", "0", path,
            ])
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        let (demuxer, server) = try demuxer(content, type: "video/mp4")
        defer { withExtendedLifetime(server) {} }
        #expect(abs(try #require(demuxer.duration) - 43_200) < 0.1)
        for (target, number) in [(43_199.0, 225), (43_195.5, 125), (2.0, 50), (43_199.96, 225)] {
            try demuxer.seek(to: target)
            let decoded = try Decoded(demuxer, enough: 1)
            #expect(decoded.numbers.first == number, "seek to \(target)")
            let time = Double(number) / 25 + (number >= 125 ? Double(jump) : 0)
            #expect(abs(try #require(decoded.pictureTimes.first) - time) < 0.001, "seek to \(target)")
        }
    }

    @Test("an edit list's beginning is where picture and sound begin, together")
    func edited() throws {
        var clip = Clip()
        clip.keyInterval = 25
        // The beginning is cut off in the middle of a group: media that is there is not to be shown.
        // Picture and sound come half a second after the beginning, by an empty edit.
        let folder = try TemporaryFolder()
        let path = try clip.path()
        let (cut, late) = (folder.path + "/cut.mp4", folder.path + "/late.mp4")
        try run(
            "ffmpeg",
            ["-v", "error", "-ss", "1.32", "-i", path, "-c", "copy", "-avoid_negative_ts", "disabled", cut])
        try run(
            "ffmpeg",
            ["-v", "error", "-i", path, "-itsoffset", "0.5", "-i", path] + ["-map", "0:v", "-map", "1:a"]
                + ["-c", "copy", late])
        let (first, one) = try demuxer(Data(contentsOf: URL(fileURLWithPath: cut)), type: "video/mp4")
        let decoded = try Decoded(first)
        let shown = zip(decoded.pictureTimes, decoded.numbers).filter { $0.0 > -0.001 }
        let start = try #require(shown.first?.1)
        #expect(abs(start - 33) <= 1)
        // The tone of the second second.
        let tone = 2 - Double(start) / 25 + (shown.first?.0 ?? 0)
        #expect(decoded.loudness(from: tone + 0.01, length: 0.08) > 0.2)
        #expect(decoded.loudness(from: tone - 0.1, length: 0.09) < 0.05)
        let (second, two) = try demuxer(Data(contentsOf: URL(fileURLWithPath: late)), type: "video/mp4")
        let shifted = try Decoded(second)
        #expect(shifted.numbers.first == 0)
        #expect(abs(try #require(shifted.pictureTimes.first)) < 0.001)
        #expect(abs(try #require(shifted.soundStart) - 0.5) < 0.03)
        #expect(shifted.loudness(from: 0.51, length: 0.08) > 0.2)
        withExtendedLifetime((one, two)) {}
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

    @Test("a recording of unknown length that breaks off within a picture says so", arguments: [1.0, 0.66, 0.5, 0.31])
    func cutOff(_ part: Double) throws {
        var clip = Self.film
        clip.fileExtension = "mkv"
        let content = try converted(clip, ["-c", "copy", "-f", "matroska", "-live", "1"], to: "film.mkv")
        let (demuxer, server) = try demuxer(
            content.prefix(Int(part * Double(content.count))), type: "video/x-matroska")
        var count = 0
        do throws(CastError) {
            while try demuxer.nextPacket() != nil { count += 1 }
            #expect(part == 1)
        } catch {
            #expect(part < 1)
            #expect(error.code == .fileFailedToParse)
        }
        #expect(count > 10)
        withExtendedLifetime(server) {}
    }

    @Test("a file's end is whole, or within an element")
    func tail() {
        func isCut(_ tail: [UInt8]) -> Bool {
            let file = [0xA3, 0x85, 1, 0, 0, 0x80, 7] + tail
            return MatroskaTail(size: Int64(file.count)) { Array(file.dropFirst(Int($0)).prefix($1)) }.isCut(
                afterBlockAt: 2)
        }
        #expect(!isCut([]))
        #expect(!isCut([0xA3, 0x81, 0]))
        #expect(!isCut([0x1F, 0x43, 0xB6, 0x75, 0xFF, 0xE7, 0x81, 0]))
        #expect(isCut([0xA3, 0x82, 0]))
        #expect(isCut([0xA3]))
        #expect(isCut([0x1F, 0x43]))
        #expect(isCut([0x1F, 0x43, 0xB6, 0x75, 0xFF, 0xA3, 0x40]))
        // What is no element says nothing.
        #expect(!isCut([0, 0, 0]))
        #expect(!isCut([0x54, 0x41, 0x47, 0x88]))
    }
}
