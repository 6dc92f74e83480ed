import Foundation
import TestSupport
import Testing

/// The same pictures through OpenGL ES, here on the processor, and through the window's memory.
@Suite("Both presenters show the same", .serialized)
struct PresenterTests {
    struct Coding: Sendable, CustomTestStringConvertible {
        var format: String
        var colour = "709"
        var turn = "0"
        var testDescription: String { "\(format) \(colour) \(turn)" }
    }

    static let codings: [Coding] = [
        Coding(format: "yuv420p"), Coding(format: "yuv420p", colour: "601-full", turn: "90"),
        Coding(format: "yuv422p", colour: "2020", turn: "270m"), Coding(format: "yuv444p", turn: "180"),
        Coding(format: "nv12", colour: "601", turn: "0m"), Coding(format: "yuv420p10le"),
        Coding(format: "p010le", colour: "709-full"), Coding(format: "gray"), Coding(format: "gray10le"),
        Coding(format: "yuv420p10le", colour: "2020-pq"), Coding(format: "yuv420p10le", colour: "2020-hlg"),
        Coding(format: "yuv420p10le", colour: "2020-wide"), Coding(format: "bgr0", colour: "rgb"),
        Coding(format: "gbrp10le", colour: "rgb"),
    ]

    /// Names each of the two ways to a version of OpenGL ES.
    static let versions = ["3.2", "2.0"]

    /// A file of flat patches of 40 by 30 pixels in an odd-sized picture.
    private static func chart(_ coding: Coding, in folder: TemporaryFolder) throws -> String {
        let (width, height) = (321, 181)
        var seed: UInt32 = 99
        var patches: [[UInt8]] = []
        for _ in 0..<64 {
            patches.append(
                (0..<3).map { _ in
                    seed = seed &* 1_664_525 &+ 1_013_904_223
                    return UInt8(seed >> 24)
                })
        }
        var pixels: [UInt8] = []
        for y in 0..<height { for x in 0..<width { pixels += patches[y / 30 * 9 + x / 40] } }
        let (raw, path) = (folder.path + "/rgb", folder.path + "/" + coding.format)
        try Data(pixels).write(to: URL(fileURLWithPath: raw))
        try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "\(width)x\(height)", "-i", raw, "-vf",
                "scale=flags=accurate_rnd+full_chroma_int,format=\(coding.format)", "-f", "rawvideo", path,
            ])
        return path
    }

    @Test("whatever their coding, in ES 3 and in ES 2", arguments: codings, versions)
    func same(_ coding: Coding, _ version: String) throws {
        let folder = try TemporaryFolder()
        let path = try Self.chart(coding, in: folder)
        let turned = ["90", "270m"].contains(coding.turn)
        let size = turned ? "181x321" : "321x181"
        let steps = [
            "item", "Film", "ready", "100", "video", "pause", "show", "coded", coding.format, "321x181",
            coding.colour, coding.turn, path, "capture", "@/shown",
        ]
        let surface = try Probe(flags: ["--surface"], steps, size: size)
        let gles = try Probe(flags: ["--gles"], steps, size: size, environment: ["MESA_GLES_VERSION_OVERRIDE": version])
        let name = gles.lines.first { $0.hasPrefix("presenter: ") } ?? ""
        #expect(name.contains("OpenGL ES \(version)"))
        let width = turned ? 181 : 321
        let (first, second) = (try surface.picture("shown", width: width), try gles.picture("shown", width: width))
        #expect(first.bytes.count == second.bytes.count)
        var worst = 0
        // The middle of each patch: edges are smoothed in ways of their own.
        for y in stride(from: 15, to: 165, by: 30) {
            for x in stride(from: 20, to: 300, by: 40) {
                let (sx, sy) = turned ? (y + (coding.turn == "90" ? 1 : 0), x) : (x, y)
                for shift in [0, 8, 16] as [UInt32] {
                    let (one, other) = (first[sx, sy] >> shift & 255, second[sx, sy] >> shift & 255)
                    worst = max(worst, abs(Int(one) - Int(other)))
                }
            }
        }
        #expect(worst <= 3)
        #expect(first.bytes.contains { $0 > 60 })
    }

    @Test("between two samples too, where a picture is made larger", arguments: ["yuv420p", "yuv420p10le", "p010le"])
    func between(_ format: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/ramp"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i",
                "color=gray:s=160x90:r=1,format=yuv420p10le,geq=lum='64+X*5+Y':cb=512:cr=512", "-frames:v", "1",
                "-pix_fmt",
                format, "-f", "rawvideo", path,
            ])
        let steps = [
            "item", "Film", "ready", "100", "video", "pause", "show", "coded", format, "160x90", "709", "0", path,
            "capture",
            "@/shown",
        ]
        let surface = try Probe(flags: ["--surface"], steps, size: "480x270")
        let gles = try Probe(flags: ["--gles"], steps, size: "480x270")
        let (first, second) = (try surface.picture("shown", width: 480), try gles.picture("shown", width: 480))
        var worst = 0
        for y in stride(from: 3, to: 267, by: 4) {
            for x in 3..<477 {
                worst = max(worst, abs(Int(first[x, y] & 255) - Int(second[x, y] & 255)))
            }
        }
        #expect(worst <= 4)
    }

    @Test(
        "however they are laid on the screen",
        arguments: ["resizeAspect", "resizeAspectFill", "resize"],
        ["480x360 0", "480x200 180m", "200x300 90"])
    func gravity(_ gravity: String, _ place: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/ramp"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i",
                "color=gray:s=160x90:r=1,format=yuv420p,geq=lum='40+X+Y/2':cb='110+X/8':cr='140-Y/4'", "-frames:v", "1",
                "-f", "rawvideo", path,
            ])
        let words = place.split(separator: " ").map(String.init)
        let sides = words[0].split(separator: "x").compactMap { Int($0) }
        let steps = [
            "item", "Film", "ready", "100", "video", "pause", "show", "coded", "yuv420p", "160x90", "709", words[1],
            path, "gravity", gravity, "sleep", "0.1", "capture", "@/shown",
        ]
        let surface = try Probe(flags: ["--surface"], steps, size: words[0])
        let gles = try Probe(flags: ["--gles"], steps, size: words[0])
        let (first, second) = (
            try surface.picture("shown", width: sides[0]), try gles.picture("shown", width: sides[0])
        )
        var worst = 0
        // But for the outermost pixels, which are smoothed in ways of their own.
        for y in 4..<sides[1] - 4 {
            for x in 4..<sides[0] - 4 {
                for shift in [0, 8, 16] as [UInt32] {
                    let (one, other) = (first[x, y] >> shift & 255, second[x, y] >> shift & 255)
                    // Where the bars begin too.
                    if first[x - 4, y] == 0 || first[x + 4, y] == 0 || first[x, y - 4] == 0 || first[x, y + 4] == 0 {
                        continue
                    }
                    worst = max(worst, abs(Int(one) - Int(other)))
                }
            }
        }
        // As far apart as the two ways of working out what lies between two samples.
        #expect(worst <= 4)
        let hasBars = first[sides[0] / 2, 0] == 0 || first[0, sides[1] / 2] == 0
        #expect(hasBars == (gravity == "resizeAspect"))
    }

    @Test("with text over the film, in ES 3 and in ES 2", arguments: versions, ["resizeAspect", "resizeAspectFill"])
    func subtitles(_ version: String, _ gravity: String) throws {
        let steps = [
            "sleep", "1", "item", "Film", "ready", "100", "video", "pause", "show", "gravity", gravity, "frame",
            "404040", "640x300", "0", "text", "Hello there", "texting", "sleep", "2.5", "capture", "@/text", "text",
            "bitmap", "texting", "sleep", "0.5", "capture", "@/bitmap", "text", "", "texting", "sleep", "0.3",
            "capture", "@/gone",
        ]
        let surface = try Probe(flags: ["--surface"], steps, size: "640x360")
        let gles = try Probe(
            flags: ["--gles"], steps, size: "640x360", environment: ["MESA_GLES_VERSION_OVERRIDE": version])
        #expect(gles.lines.contains { $0.hasPrefix("presenter: ") && $0.contains("OpenGL ES \(version)") })
        for name in ["text", "bitmap", "gone"] {
            let (first, second) = (
                try surface.picture(name, width: 640), try gles.picture(name, width: 640)
            )
            let worst = zip(first.bytes, second.bytes).enumerated().lazy
                .filter { $0.offset % 4 != 3 }.map { abs(Int($0.element.0) - Int($0.element.1)) }.max()
            #expect(worst ?? 255 <= 3, "\(name): \(worst ?? 255)")
        }
        #expect(try gles.picture("text", width: 640).brightPixels > 100)
        let square = try gles.picture("bitmap", width: 640)
        #expect((0..<360).contains { y in (0..<640).contains { square[$0, y] == 0x00FF00 } })
    }

    @Test("with the bar on it, and with the idle card")
    func overlay() throws {
        let steps = [
            "sleep", "1", "show", "sleep", "0.5", "capture", "@/idle", "item", "Film", "ready", "100", "video", "play",
            "show", "frame", "corners", "320x180", "0", "sleep", "0.7", "capture", "@/bar",
        ]
        let surface = try Probe(flags: ["--surface"], steps)
        let gles = try Probe(flags: ["--gles"], steps)
        let (first, second) = (try surface.picture("bar"), try gles.picture("bar"))
        var differing = 0
        for index in first.bytes.indices where index % 4 != 3 {
            if abs(Int(first.bytes[index]) - Int(second.bytes[index])) > 3 { differing += 1 }
        }
        // The seam between the picture's corners may fall a pixel beside.
        #expect(differing < 3 * 2 * (320 + 180), "\(differing) differ")
        #expect(second.brightPixels > 50)
        #expect(try gles.picture("idle").brightPixels > 200)
    }

    @Test("where OpenGL cannot be had, asking for it says so, and the automatic choice is the window's memory")
    func choice() throws {
        let broken = [
            "LIBGL_DRIVERS_PATH": "/nowhere", "GALLIUM_DRIVER": "none", "EGL_PLATFORM": "nonsense",
            "__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere.json",
        ]
        let automatic = try Probe(flags: [], ["show"], environment: broken)
        #expect(automatic.lines.contains("presenter: window surface"))
        #expect(automatic.lines.last == "done")
    }
}
