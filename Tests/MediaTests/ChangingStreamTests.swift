import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

/// Streams whose pictures change in size, shape, pixel format or colour in mid-stream.
@Suite struct ChangingStreamTests {
    struct Part: Sendable {
        var size = "160x120"
        var shape = "1/1"
        var format = "yuv420p"
        var matrix = "bt709"
        var isFullRange = false
        var wanted = Size(width: 160, height: 120)
    }

    @Test(
        "each picture is shown by what is true of it",
        arguments: [
            [Part(), Part(size: "640x360", wanted: Size(width: 640, height: 360))],
            [Part(), Part(shape: "16/11", wanted: Size(width: 233, height: 120))],
            [Part(), Part(format: "yuv444p"), Part()],
            [Part(), Part(matrix: "smpte170m"), Part(isFullRange: true)],
        ])
    func changes(_ parts: [Part]) throws {
        let folder = try TemporaryFolder()
        var whole = Data()
        for (index, part) in parts.enumerated() {
            let path = folder.path + "/\(index).ts"
            let range = part.isFullRange ? "full" : "limited"
            let matrix = part.matrix == "bt709" ? "709" : "170m"
            try run(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "color=0xC02020:s=\(part.size):r=10,format=gbrp",
                    "-vf",
                    "zscale=matrixin=gbr:rangein=full:primariesin=709:transferin=709:primaries=709:transfer=709:matrix=\(matrix):range=\(range),format=\(part.format),setsar=\(part.shape)",
                    "-t", "1", "-c:v", "libx264", "-bf", "0", "-qp", "1", "-x264-params",
                    "colormatrix=\(part.matrix):range=\(part.isFullRange ? "pc" : "tv")", "-output_ts_offset",
                    "\(index)",
                    path,
                ])
            whole += try Data(contentsOf: URL(fileURLWithPath: path))
        }
        let path = folder.path + "/whole.ts"
        try whole.write(to: URL(fileURLWithPath: path))
        let demuxer = try FakeServer(path: path).demuxer()
        let decoder = try VideoDecoder(#require(demuxer.streams.first))
        let frames = try DeinterlacerTests.pictures(demuxer, decoder)
        #expect(frames.count == parts.count * 10)
        let scaler = Scaler()
        for (index, frame) in frames.enumerated() {
            let part = parts[min(index / 10, parts.count - 1)]
            #expect(frame.displaySize == part.wanted, "picture \(index)")
            let picture = try scaler.picture(of: frame, width: 32, height: 32)
            let pixel = (16 * 32 + 16) * 4
            for (channel, want) in [0x20, 0x20, 0xC0].enumerated() {
                #expect(abs(Int(picture.bytes[pixel + channel]) - want) <= 4, "picture \(index)")
            }
        }
    }

    @Test("odd sizes have no edge of another colour", arguments: ["161x121", "321x181", "33x17"])
    func odd(_ size: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/odd.webm"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=0xC02020:s=\(size):r=5", "-t", "0.4", "-c:v", "libvpx-vp9",
                "-b:v",
                "1M", path,
            ])
        let frame = try firstFrame(path)
        for (width, height) in [(frame.width, frame.height), (frame.width * 2 + 1, frame.height * 2 + 1), (320, 180)] {
            let picture = try Scaler().picture(of: frame, width: width, height: height)
            var worst = 0
            for pixel in 0..<(width * height) {
                worst = max(worst, abs(Int(picture.bytes[pixel * 4 + 2]) - 0xC0))
                worst = max(worst, abs(Int(picture.bytes[pixel * 4 + 1]) - 0x20))
            }
            #expect(worst <= 8, "at \(width)x\(height)")
        }
    }

    @Test("the container's shape of pixels counts where it is sane", arguments: [("4:3", 4.0 / 3), ("20:1", 16.0 / 9)])
    func shape(_ claimed: String, _ wanted: Double) throws {
        let folder = try TemporaryFolder()
        let (plain, path) = (folder.path + "/plain.mkv", folder.path + "/claimed.mkv")
        try run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "color=red:s=160x90:r=5", "-t", "0.4", "-c:v", "libx264", plain])
        try run("ffmpeg", ["-v", "error", "-i", plain, "-c", "copy", "-aspect", claimed, path])
        let size = try firstFrame(path).displaySize
        #expect(abs(Double(size.width) / Double(size.height) - wanted) < 0.02, "\(size)")
    }
}
