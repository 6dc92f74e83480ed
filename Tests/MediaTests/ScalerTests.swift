import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct ScalerTests {
    struct Coding: Sendable, CustomTestStringConvertible {
        var matrix: String
        var range: String
        var format = "yuv420p"
        var testDescription: String { "\(matrix) \(range) \(format)" }
    }

    static let codings = [
        Coding(matrix: "bt709", range: "tv"), Coding(matrix: "bt709", range: "pc"),
        Coding(matrix: "smpte170m", range: "tv"), Coding(matrix: "smpte170m", range: "pc"),
        Coding(matrix: "bt2020nc", range: "tv", format: "yuv420p10le"),
        Coding(matrix: "bt709", range: "tv", format: "yuv444p"),
    ]

    /// Red, green, blue, yellow, grey and white, in stripes of 64 pixels.
    static let colours: [[Int]] = [
        [192, 32, 32], [32, 192, 32], [32, 32, 192], [200, 200, 40], [128, 128, 128], [255, 255, 255],
    ]

    @Test("colours come out as they went in, whatever their coding", arguments: codings, [384, 768])
    func colours(_ coding: Coding, width: Int) throws {
        let frame = try self.frame(coding)
        let scaler = Scaler()
        let picture = try scaler.picture(of: frame, width: width, height: width / 3)
        for (number, colour) in Self.colours.enumerated() {
            let pixel = (picture.height / 2 * width + (number * 64 + 32) * width / 384) * 4
            let seen = [2, 1, 0].map { Int(picture.bytes[pixel + $0]) }
            for (have, want) in zip(seen, colour) { #expect(abs(have - want) <= 4, "\(seen) for \(colour)") }
        }
    }

    @Test(
        "nothing outside the rectangle is touched", arguments: [(16, 8), (3, 5), (16, 1)],
        [(320, 100), (321, 101), (33, 9)])
    func staysInside(_ corner: (Int, Int), _ size: (Int, Int)) throws {
        let frame = try self.frame(Self.codings[0])
        let (width, height) = (400, 128)
        var surface = [UInt8](repeating: 0xEE, count: width * height * 4)
        try surface.withUnsafeMutableBytes { bytes in
            let start = try #require(bytes.baseAddress) + (corner.1 * width + corner.0) * 4
            try Scaler().draw(frame, into: start, stride: width * 4, width: size.0, height: size.1)
        }
        var outside = 0
        var inside = 0
        for y in 0..<height {
            for x in 0..<width {
                let isTouched = surface[((y * width + x) * 4)..<((y * width + x) * 4 + 3)] != [0xEE, 0xEE, 0xEE]
                let isInside =
                    (corner.0..<(corner.0 + size.0)).contains(x) && (corner.1..<(corner.1 + size.1)).contains(y)
                if isInside && isTouched { inside += 1 }
                if !isInside && isTouched { outside += 1 }
            }
        }
        #expect(outside == 0)
        #expect(inside == size.0 * size.1)
    }

    @Test("a turned and mirrored picture stands upright", arguments: [0, 90, 180, 270], [false, true])
    func orientation(_ rotation: Int, _ mirrored: Bool) throws {
        // Upright: red at the top left, green at the top right, blue at the bottom left, white at the bottom right.
        let (width, height) = (64, 32)
        let upright: (Double, Double) -> [UInt8] = { x, y in
            y < 0.5 ? (x < 0.5 ? [0, 0, 255, 0] : [0, 255, 0, 0]) : (x < 0.5 ? [255, 0, 0, 0] : [255, 255, 255, 0])
        }
        // Stored: turned back by the inverse.
        let turned = rotation == 90 || rotation == 270
        var stored = PixelPicture(width: turned ? height : width, height: turned ? width : height)
        for y in 0..<stored.height {
            for x in 0..<stored.width {
                var place = ((Double(x) + 0.5) / Double(stored.width), (Double(y) + 0.5) / Double(stored.height))
                if mirrored { place.0 = 1 - place.0 }
                for _ in 0..<(rotation / 90) { place = (1 - place.1, place.0) }
                stored.bytes.replaceSubrange(
                    ((y * stored.width + x) * 4)..<((y * stored.width + x) * 4 + 4), with: upright(place.0, place.1))
            }
        }
        let plain = try VideoFrame(stored)
        let frame = VideoFrame(
            plain.object, presentationTime: 0, duration: nil, displaySize: Size(width: width, height: height),
            orientation: Orientation(rotation: rotation, mirrored: mirrored), colour: plain.colour)
        let picture = try Scaler().picture(of: frame, width: width, height: height)
        for (x, y) in [(8, 8), (56, 8), (8, 24), (56, 24)] {
            let pixel = (y * width + x) * 4
            let want = upright(Double(x) / Double(width), Double(y) / Double(height))
            #expect(Array(picture.bytes[pixel..<(pixel + 3)]) == Array(want[0..<3]), "at \(x), \(y)")
        }
    }

    @Test("the matrix of a rotated file turns the picture", arguments: [0, 90, 180, 270])
    func rotatedFile(_ degrees: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/turned.mp4"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-i", Kind.all[0].clip.path(), "-c", "copy", "-metadata:s:v:0", "rotate=\(degrees)",
                path,
            ])
        let demuxer = try FakeServer(path: path).demuxer()
        let stream = try #require(demuxer.streams.first { $0.kind == .visual })
        let size = degrees % 180 == 0 ? Size(width: 640, height: 128) : Size(width: 128, height: 640)
        #expect(stream.presentationSize == size)
        // ffmpeg turns pictures by itself.
        try run(
            "ffmpeg",
            ["-v", "error", "-i", path, "-frames:v", "1", "-pix_fmt", "gray", "-f", "rawvideo", folder.path + "/raw"])
        let want = try #require(FileManager.default.contents(atPath: folder.path + "/raw"))
        let decoder = try VideoDecoder(stream)
        var frame: VideoFrame?
        while frame == nil, let packet = try demuxer.nextPacket() {
            if packet.streamIndex == stream.index { try decoder.send(packet) }
            frame = try decoder.receive()
        }
        let picture = try Scaler().picture(of: #require(frame), width: size.width, height: size.height)
        let difference = (0..<want.count).map { pixel in
            let (blue, green, red) = (
                picture.bytes[pixel * 4], picture.bytes[pixel * 4 + 1], picture.bytes[pixel * 4 + 2]
            )
            return abs(0.114 * Double(blue) + 0.587 * Double(green) + 0.299 * Double(red) - Double(want[pixel]))
        }
        #expect(difference.reduce(0, +) / Double(want.count) < 20)
    }

    @Test("a crop leaves out what it says")
    func crop() throws {
        let frame = try self.frame(Self.codings[0])
        var picture = PixelPicture(width: 64, height: 64)
        try picture.bytes.withUnsafeMutableBytes { bytes in
            try Scaler().draw(
                frame, into: #require(bytes.baseAddress), stride: 256, width: 64, height: 64,
                crop: Crop(left: 1 / 6.0, right: 4 / 6.0))
        }
        for x in [2, 32, 61] {
            let pixel = (32 * 64 + x) * 4
            #expect(abs(Int(picture.bytes[pixel + 1]) - 192) <= 4)
        }
    }

    @Test("a picture becomes a PNG file that others read")
    func png() throws {
        var picture = PixelPicture(width: 5, height: 3)
        for index in picture.bytes.indices { picture.bytes[index] = UInt8(index * 4 % 256) }
        let folder = try TemporaryFolder()
        try picture.png().write(to: URL(fileURLWithPath: folder.path + "/p.png"))
        try run(
            "ffmpeg",
            ["-v", "error", "-i", folder.path + "/p.png", "-f", "rawvideo", "-pix_fmt", "bgr24", folder.path + "/raw"])
        let raw = try #require(FileManager.default.contents(atPath: folder.path + "/raw"))
        let want = picture.bytes.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
        #expect(Array(raw) == want)
    }

    /// The first picture of a film of coloured stripes.
    private func frame(_ coding: Coding) throws -> VideoFrame {
        let folder = try TemporaryFolder()
        let path = folder.path + "/stripes.mkv"
        let stripes = Self.colours.enumerated().map { number, colour in
            let hex = colour.map { String($0 + 256, radix: 16).suffix(2) }.joined()
            return "drawbox=x=\(number * 64):y=0:w=64:h=128:t=fill:c=0x\(hex)"
        }
        try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i",
                "color=black:s=384x128:r=1,format=gbrp," + stripes.joined(separator: ",")
                    + ",scale=out_color_matrix=\(coding.matrix):out_range=\(coding.range):flags=accurate_rnd+full_chroma_int,format=\(coding.format)",
                "-frames:v", "1", "-c:v", "ffv1", "-colorspace", coding.matrix, "-color_range", coding.range, path,
            ])
        let demuxer = try FakeServer(path: path).demuxer()
        let decoder = try VideoDecoder(#require(demuxer.streams.first))
        while let packet = try demuxer.nextPacket() { try decoder.send(packet) }
        try decoder.send(nil)
        return try #require(try decoder.receive())
    }
}
