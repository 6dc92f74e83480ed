import CFFmpeg
import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

/// Pictures of flat patches, drawn and held against what zimg (ffmpeg's zscale) makes of the same numbers.
@Suite struct ColourTests {
    struct Coding: Sendable, CustomTestStringConvertible {
        var format: String
        var matrix = "bt709"
        var isFullRange = false
        var primaries = "bt709"
        var testDescription: String { "\(format) \(matrix) \(isFullRange ? "full" : "limited") \(primaries)" }

        var colour: ColourDescription {
            let matrix: ColourDescription.Matrix =
                matrix == "bt709" ? .bt709 : matrix == "smpte170m" ? .bt601 : matrix == "gbr" ? .rgb : .bt2020
            return ColourDescription(
                matrix: matrix, isFullRange: isFullRange || matrix == .rgb,
                primaries: primaries == "bt2020" ? .bt2020 : .bt709)
        }
    }

    static let codings: [Coding] = [
        Coding(format: "yuv420p"), Coding(format: "yuv420p", isFullRange: true),
        Coding(format: "yuv420p", matrix: "smpte170m"),
        Coding(format: "yuv422p", matrix: "smpte170m", isFullRange: true),
        Coding(format: "yuv444p", matrix: "smpte170m"), Coding(format: "yuv422p10le"),
        Coding(format: "yuv420p10le", isFullRange: true), Coding(format: "yuv444p10le", matrix: "smpte170m"),
        Coding(format: "yuv420p", matrix: "bt2020nc"), Coding(format: "yuv420p10le", matrix: "bt2020nc"),
        Coding(format: "yuv420p10le", matrix: "bt2020nc", isFullRange: true),
        Coding(format: "yuv420p10le", matrix: "bt2020nc", primaries: "bt2020"),
        Coding(format: "nv12"), Coding(format: "nv12", matrix: "smpte170m", isFullRange: true),
        Coding(format: "p010le"), Coding(format: "p010le", matrix: "bt2020nc"),
        Coding(format: "gray"), Coding(format: "gray", isFullRange: true), Coding(format: "gray10le"),
        Coding(format: "gbrp", matrix: "gbr"), Coding(format: "gbrp10le", matrix: "gbr"),
        Coding(format: "rgb24", matrix: "gbr"), Coding(format: "bgra", matrix: "gbr"),
    ]

    @Test("colours are zimg's, at the picture's size, half and twice of it", arguments: codings)
    func colours(_ coding: Coding) throws {
        let chart = try Chart(coding)
        for (width, height) in [(320, 160), (160, 80), (640, 320)] {
            let picture = try Scaler().picture(of: chart.frame, width: width, height: height)
            var worst = 0
            for (place, want) in chart.wanted {
                let pixel = (Int(place.y * Double(height)) * width + Int(place.x * Double(width))) * 4
                for channel in 0..<3 { worst = max(worst, abs(Int(picture.bytes[pixel + channel]) - want[channel])) }
            }
            #expect(worst <= 3, "at \(width)x\(height)")
        }
    }

    @Test("what is see-through lies on black, also in VP9, whose usual decoder drops that")
    func alpha() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/alpha.webm"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i",
                "color=white:s=128x64:r=5,format=yuva420p,geq=lum=235:cb=128:cr=128:a=X*2",
                "-t", "1", "-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", "-b:v", "1M", path,
            ])
        let frame = try firstFrame(path)
        let picture = try Scaler().picture(of: frame, width: 128, height: 64)
        for x in [4, 64, 120] {
            let value = Int(picture.bytes[(32 * 128 + x) * 4 + 1])
            #expect(abs(value - x * 2) <= 12, "\(value) at \(x)")
        }
    }

    @Test("where a stream says nothing, its size decides; what it says counts more than the container's word")
    func unspecified() throws {
        let folder = try TemporaryFolder()
        for (size, matrix) in [
            ("1280x64", ColourDescription.Matrix.bt709), ("64x578", .bt709), ("64x576", .bt601), ("1278x64", .bt601),
        ] {
            let path = folder.path + "/\(size).mkv"
            try run(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "color=red:s=\(size):r=1", "-frames:v", "1", "-c:v", "libx264",
                    path,
                ])
            #expect(try firstFrame(path).colour.matrix == matrix, "\(size)")
        }
        // HLG in the bitstream, BT.709 in the container; then nothing in the bitstream, PQ in the container.
        let hlg = folder.path + "/hlg.mkv"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=red:s=64x64:r=1", "-frames:v", "1", "-c:v", "libx264",
                "-x264-params", "transfer=arib-std-b67:colorprim=bt2020:colormatrix=bt2020nc", "-color_trc", "bt709",
                hlg,
            ])
        #expect(try firstFrame(hlg).colour.transfer == .hlg)
        let pq = folder.path + "/pq.webm"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=red:s=64x64:r=1,format=yuv420p10le", "-frames:v", "1",
                "-c:v",
                "libvpx-vp9", "-color_trc", "smpte2084", "-color_primaries", "bt2020", "-colorspace", "bt2020nc", pq,
            ])
        #expect(try firstFrame(pq).colour.transfer == .pq)
    }
}

/// The first picture of a file.
func firstFrame(_ path: String) throws -> VideoFrame {
    let demuxer = try FakeServer(path: path).demuxer()
    let stream = try #require(demuxer.streams.first { $0.kind == .visual })
    let decoder = try VideoDecoder(stream)
    while let packet = try demuxer.nextPacket() {
        if packet.streamIndex == stream.index { try decoder.send(packet) }
        if let frame = try decoder.receive() { return frame }
    }
    try decoder.send(nil)
    return try #require(try decoder.receive())
}

/// A picture of 128 patches in a coding, and what zimg makes of each.
private struct Chart {
    let frame: VideoFrame
    /// The middle of each patch, as shares of the sides, and its blue, green and red.
    let wanted: [(place: (x: Double, y: Double), colour: [Int])]

    init(_ coding: ColourTests.Coding) throws {
        let folder = try TemporaryFolder()
        let (columns, rows, side) = (16, 8, 20)
        let (width, height) = (columns * side, rows * side)
        var seed: UInt32 = 12345
        func random() -> UInt8 {
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return UInt8(seed >> 24)
        }
        var patches = (0..<8).map { corner in [4, 2, 1].map { corner & $0 == 0 ? UInt8(0) : 255 } }
        patches += (8..<(columns * rows)).map { _ in [random(), random(), random()] }
        if coding.format.hasPrefix("gray") { patches = patches.map { [$0[0], $0[0], $0[0]] } }
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                let patch = patches[y / side * columns + x / side]
                for channel in 0..<3 { pixels[(y * width + x) * 3 + channel] = patch[channel] }
            }
        }
        let raw = folder.path + "/rgb"
        try Data(pixels).write(to: URL(fileURLWithPath: raw))
        // zimg knows planes only; the rest is a matter of order.
        let planar = [
            "nv12": "yuv420p", "p010le": "yuv420p10le", "rgb24": "gbrp", "bgra": "gbrp", "gray": "yuv420p",
            "gray10le": "yuv420p10le",
        ][coding.format]
        let format = planar ?? coding.format
        let size = "\(width)x\(height)"
        let range = coding.colour.isFullRange ? "full" : "limited"
        let matrix = ["smpte170m": "170m", "bt2020nc": "2020_ncl", "bt709": "709", "gbr": "gbr"][coding.matrix] ?? ""
        let gamut = coding.primaries == "bt2020" ? "2020" : "709"
        let plain = "primariesin=\(gamut):transferin=709:transfer=709"
        let target = "matrix=\(matrix):range=\(range)"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-i", raw, "-vf",
                "format=gbrp,zscale=matrixin=gbr:rangein=full:\(plain):primaries=\(gamut):\(target),format=\(format)",
                "-f", "rawvideo", folder.path + "/planar",
            ])
        let input = ["-f", "rawvideo", "-pix_fmt", format, "-s", size, "-i", folder.path + "/planar"]
        let judged = "matrixin=\(matrix):rangein=\(range):\(plain):primaries=709:matrix=gbr:range=full:filter=point"
        try run(
            "ffmpeg",
            ["-v", "error"] + input + [
                "-vf", "zscale=\(judged),format=gbrp", "-pix_fmt", "bgra", "-f", "rawvideo", folder.path + "/want",
            ])
        try run(
            "ffmpeg",
            ["-v", "error"] + input + ["-c:v", "ffv1", folder.path + "/coded.mkv"])
        let want = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/want"))
        wanted = (0..<(columns * rows)).map { patch in
            let (x, y) = (patch % columns * side + side / 2, patch / columns * side + side / 2)
            return (
                ((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height)),
                (0..<3).map { Int(want[(y * width + x) * 4 + $0]) }
            )
        }
        let coded = try firstFrame(folder.path + "/coded.mkv")
        let graph = try FilterGraph(
            coding.format.hasPrefix("gray") ? "extractplanes=y" : "format=\(coding.format)",
            for: coded.object.pointer.pointee, timeBase: AVRational(num: 1, den: 25))
        try graph.send(coded.object)
        let object = try #require(try graph.receive())
        frame = VideoFrame(
            object, presentationTime: 0, duration: nil, displaySize: coded.displaySize,
            orientation: Orientation(), colour: coding.colour)
    }
}
