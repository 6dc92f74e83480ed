import CFFmpeg
import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct DeinterlacerTests {
    /// A film of 50 fields a second in which a white bar moves 4 pixels a field from the left.
    static func film(topFirst: Bool) throws -> (folder: TemporaryFolder, path: String) {
        let folder = try TemporaryFolder()
        let path = folder.path + "/fields.mkv"
        let order = topFirst ? "interleave_top" : "interleave_bottom"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i",
                "color=black:s=320x64:r=50,format=yuv420p,geq=lum='if(between(X,N*4,N*4+15),235,16)':cb=128:cr=128",
                "-vf", "tinterlace=\(order),setfield=\(topFirst ? "tff" : "bff")", "-t", "1", "-c:v", "libx264",
                "-flags", "+ildct+ilme", "-x264-params", topFirst ? "tff=1" : "bff=1", "-g", "10", "-bf", "0", path,
            ])
        return (folder, path)
    }

    /// Where the bar begins in a picture, in pixels; and how many columns are neither black nor white in some rows only.
    static func bar(in frame: VideoFrame) throws -> (left: Int, combs: Int) {
        let picture = try Scaler(threads: 1).picture(of: frame, width: 320, height: 64)
        func luma(_ x: Int, _ y: Int) -> Int { Int(picture.bytes[(y * 320 + x) * 4 + 1]) }
        let left = (0..<320).first { luma($0, 33) > 128 } ?? -1
        let combs = (0..<320).count { x in (10..<54).contains { abs(luma(x, $0) - luma(x, $0 + 1)) > 100 } }
        return (left, combs)
    }

    static func pictures(_ demuxer: Demuxer, _ decoder: VideoDecoder, upTo count: Int = .max) throws -> [VideoFrame] {
        var frames: [VideoFrame] = []
        while frames.count < count, let packet = try demuxer.nextPacket() {
            try decoder.send(packet)
            while let frame = try decoder.receive() { frames.append(frame) }
        }
        guard count == .max else { return frames }
        try decoder.send(nil)
        while let frame = try decoder.receive() { frames.append(frame) }
        return frames
    }

    @Test("each field becomes a picture, in its own place and time, whichever is first", arguments: [true, false])
    func fields(_ topFirst: Bool) throws {
        let film = try Self.film(topFirst: topFirst)
        defer { withExtendedLifetime(film.folder) {} }
        let demuxer = try FakeServer(path: film.path).demuxer()
        let frames = try Self.pictures(demuxer, VideoDecoder(#require(demuxer.streams.first)))
        #expect(frames.count == 50)
        for (index, frame) in frames.enumerated() {
            #expect(abs(frame.presentationTime - Double(index) / 50) < 0.002)
            #expect(abs((frame.duration ?? 0) - 0.02) < 0.002)
            #expect(!frame.isInterlaced)
            let bar = try Self.bar(in: frame)
            #expect(abs(bar.left - index * 4) <= 2, "picture \(index) at \(bar.left)")
            // The first and the last have a neighbour on one side only.
            if (2..<48).contains(index) { #expect(bar.combs <= 2, "picture \(index)") }
        }
    }

    @Test("the order of fields is kept after a seek")
    func seek() throws {
        let film = try Self.film(topFirst: false)
        defer { withExtendedLifetime(film.folder) {} }
        let demuxer = try FakeServer(path: film.path).demuxer()
        let decoder = try VideoDecoder(#require(demuxer.streams.first))
        _ = try Self.pictures(demuxer, decoder, upTo: 30)
        _ = try demuxer.seek(to: 0.45)
        decoder.flush()
        let frames = try Self.pictures(demuxer, decoder)
        #expect(frames.count >= 28)
        for frame in frames.dropFirst(2).dropLast(2) {
            let bar = try Self.bar(in: frame)
            #expect(abs(bar.left - Int((frame.presentationTime * 200).rounded())) <= 2)
            #expect(bar.combs <= 2)
        }
    }

    @Test("pictures that are not flagged stay as they are")
    func progressive() throws {
        var clip = Clip()
        clip.duration = 1
        clip.audio = nil
        let demuxer = try FakeServer(path: clip.path()).demuxer()
        let frames = try Self.pictures(demuxer, VideoDecoder(#require(demuxer.streams.first)))
        #expect(frames.count == 25)
    }
}
