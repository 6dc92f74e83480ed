/// An image that lies over the film and under everything else: text or a bitmap of subtitles.
///
/// Never changes once it is made: the same object is the same image, so that a presenter may keep a texture of it.
final class ImageOverlay {
    /// Where it stands on the screen, one pixel of it on one pixel of the screen. May reach over the edges.
    let rect: PixelRect
    /// 0xAARRGGBB, premultiplied, a row after the other; `rect.width * rect.height` of them.
    let pixels: [UInt32]
    /// The image this is, at another place; nil where it was not moved.
    private let original: ImageOverlay?

    init(rect: PixelRect, pixels: [UInt32]) {
        precondition(pixels.count == max(0, rect.width) * max(0, rect.height))
        self.rect = rect
        self.pixels = pixels
        original = nil
    }

    private init(_ image: ImageOverlay, rect: PixelRect) {
        self.rect = rect
        pixels = image.pixels
        original = image.original ?? image
    }

    /// The same image so many rows higher.
    func moved(up rows: Int) -> ImageOverlay {
        var rect = rect
        rect.y -= rows
        return ImageOverlay(self, rect: rect)
    }

    /// Whether it is the same image at the same place.
    func isSame(as other: ImageOverlay) -> Bool {
        rect == other.rect && (original ?? self) === (other.original ?? other)
    }

    /// Lays it over pixels of the screen's size, within `area`, which must lie within the screen.
    func blend(into target: UnsafeMutablePointer<UInt32>, stride: Int, within area: PixelRect) {
        let visible = rect.intersection(area)
        guard !visible.isEmpty else { return }
        pixels.withUnsafeBufferPointer { pixels in
            guard let pixels = pixels.baseAddress else { return }
            for y in visible.y..<visible.bottom {
                let source = (y - rect.y) * rect.width - rect.x
                blendRow(
                    pixels + source + visible.x, over: target + y * stride + visible.x, count: visible.width)
            }
        }
    }
}
