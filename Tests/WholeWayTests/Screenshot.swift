import Foundation
import TestSupport

/// What was on a screen.
struct Screenshot {
    let width: Int
    let height: Int
    /// Red, green and blue, a byte each, row by row.
    private let pixels: Data

    /// Reads a PNG file with ffmpeg. Blocks.
    init(png path: String) throws {
        let raw = path + ".rgb"
        try run("ffmpeg", ["-v", "error", "-y", "-i", path, "-pix_fmt", "rgb24", "-f", "rawvideo", raw])
        let head = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(24)
        // Width and height are the first two numbers of the first chunk (PNG, 11.2.2 IHDR).
        func number(_ start: Int) -> Int { head[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
        (width, height) = (number(16), number(20))
        pixels = try Data(contentsOf: URL(fileURLWithPath: raw))
    }

    /// The colour of a pixel: red, green, blue, 0 to 255.
    func color(_ x: Int, _ y: Int) -> [Int] {
        let index = (y * width + x) * 3
        return pixels[index..<(index + 3)].map(Int.init)
    }

    /// Brightness of a pixel, 0 to 255.
    subscript(x: Int, y: Int) -> Int { color(x, y).reduce(0, +) / 3 }

    /// The number a clip's picture carries, shown at its own size from the top left; nil where there is none.
    var frameNumber: Int? { frameNumber() }

    /// The same, of a picture shown `scale` times its size with its corner at (`left`, `top`).
    func frameNumber(left: Double = 0, top: Double = 0, scale: Double = 1) -> Int? {
        FrameCode.read(left: left, top: top, scale: scale) { self[$0, $1] }
    }

    /// Whether the orange sign is up that goes with an error's sentence; the idle card may have a far smaller one.
    var hasErrorSign: Bool {
        var count = 0
        for index in stride(from: 0, to: pixels.count, by: 3)
        where pixels[index] > 230 && (150..<200).contains(pixels[index + 1]) && pixels[index + 2] < 130 { count += 1 }
        return count > 200
    }
}
