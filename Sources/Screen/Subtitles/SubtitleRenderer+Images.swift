internal import CASS
internal import Casting

extension SubtitleRenderer {
    /// What libass hands out, put together to as few images as there are places.
    static func images(of list: UnsafeMutablePointer<ASS_Image>?) -> [ImageOverlay] {
        var parts: [(image: ASS_Image, rect: PixelRect)] = []
        var next = list
        while let image = next?.pointee {
            next = image.next
            let rect = PixelRect(x: Int(image.dst_x), y: Int(image.dst_y), width: Int(image.w), height: Int(image.h))
            // 255 is not to be seen at all.
            if !rect.isEmpty, image.color & 0xFF != 0xFF { parts.append((image, rect)) }
        }
        return Overlay.merged(parts.map(\.rect)).map { rect in
            let pixels = [UInt32](unsafeUninitializedCapacity: rect.width * rect.height) { buffer, count in
                count = rect.width * rect.height
                guard let base = buffer.baseAddress else { return }
                base.initialize(repeating: 0, count: count)
                for part in parts where rect.contains(part.rect) {
                    lay(part.image, at: part.rect, on: base, of: rect)
                }
            }
            return ImageOverlay(rect: rect, pixels: pixels)
        }
    }

    private static func lay(
        _ image: ASS_Image, at place: PixelRect, on pixels: UnsafeMutablePointer<UInt32>, of rect: PixelRect
    ) {
        guard let bitmap = image.bitmap else { return }
        let full = premultiplied(image.color >> 8, alpha: 255 - image.color & 0xFF)
        for y in 0..<place.height {
            let source = bitmap + y * Int(image.stride)
            let row = pixels + (place.y - rect.y + y) * rect.width + (place.x - rect.x)
            for x in 0..<place.width where source[x] != 0 {
                let coverage = UInt32(source[x])
                row[x] = over(scaled(full, by: coverage + (coverage >> 7)), row[x])
            }
        }
    }
}

/// A colour 0xRRGGBB as a premultiplied pixel.
func premultiplied(_ color: UInt32, alpha: UInt32) -> UInt32 {
    func part(_ shift: UInt32) -> UInt32 { (((color >> shift & 0xFF) * alpha + 127) / 255) << shift }
    return alpha << 24 | part(16) | part(8) | part(0)
}
