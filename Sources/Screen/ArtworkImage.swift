internal import Casting
public import Media
internal import Synchronization

/// A picture that goes with what sounds. The same object is the same picture.
public final class ArtworkImage: Hashable, Sendable {
    private struct Drawn {
        var width = 0
        var height = 0
        var pixels: [UInt32] = []
    }

    private let frame: VideoFrame
    private let drawn = Mutex(Drawn())

    /// A decoded picture.
    public init(_ frame: VideoFrame) { self.frame = frame }

    /// Whether they are the same object.
    public static func == (one: ArtworkImage, other: ArtworkImage) -> Bool { one === other }

    /// By the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The largest rectangle of its shape in the middle of another.
    func rect(within tile: PixelRect) -> PixelRect {
        let size = frame.displaySize
        let scale = min(
            Double(tile.width) / Double(max(1, size.width)), Double(tile.height) / Double(max(1, size.height)))
        let width = max(1, Int((Double(size.width) * scale).rounded()))
        let height = max(1, Int((Double(size.height) * scale).rounded()))
        return PixelRect(
            x: tile.x + (tile.width - width) / 2, y: tile.y + (tile.height - height) / 2, width: width, height: height)
    }

    /// Its pixels at a size, 0xFFRRGGBB, a row after the other; empty where it cannot be drawn. Kept for the next time.
    func pixels(width: Int, height: Int) -> [UInt32] {
        drawn.withLock { drawn in
            if drawn.width == width, drawn.height == height { return drawn.pixels }
            let picture = try? Scaler(threads: 1).picture(of: frame, width: width, height: height)
            let pixels = picture.map { picture in
                (0..<width * height).map { index -> UInt32 in
                    let bytes = picture.bytes
                    let place = index * 4
                    return 0xFF00_0000 | UInt32(bytes[place + 2]) << 16 | UInt32(bytes[place + 1]) << 8
                        | UInt32(bytes[place])
                }
            }
            drawn = Drawn(width: width, height: height, pixels: pixels ?? [])
            return drawn.pixels
        }
    }
}

extension Pixels {
    /// A picture that fills `rect`.
    func draw(_ image: ArtworkImage, in rect: PixelRect, clip: PixelRect) {
        let visible = rect.intersection(clip).intersection(bounds)
        let pixels = image.pixels(width: rect.width, height: rect.height)
        guard !visible.isEmpty, pixels.count == rect.width * rect.height else { return }
        for y in visible.y..<visible.bottom {
            let row = row(y)
            let source = (y - rect.y) * rect.width - rect.x
            for x in visible.x..<visible.right { row[x] = pixels[source + x] }
        }
    }
}
