internal import Casting
internal import Media

/// Bitmaps of subtitles at the screen's resolution.
enum SubtitleBitmaps {
    /// The images of bitmaps whose canvas is laid over a picture.
    ///
    /// - Parameters:
    ///   - canvas: the size they count in.
    ///   - picture: where the picture stands on the screen.
    static func images(_ bitmaps: [SubtitleBitmap], canvas: Size, picture: PixelRect) -> [ImageOverlay] {
        guard canvas.width > 0, canvas.height > 0, !picture.isEmpty else { return [] }
        // The canvas has the film's shape, mostly; where bars were cut off the picture it is higher: then its width fits.
        let scaleX = Double(picture.width) / Double(canvas.width)
        var scaleY = Double(picture.height) / Double(canvas.height)
        var top = Double(picture.y)
        if scaleY < scaleX * 0.95, canvas.height * 16 >= canvas.width * 9 - 16 {
            top -= (Double(canvas.height) * scaleX - Double(picture.height)) / 2
            scaleY = scaleX
        }
        return bitmaps.compactMap { bitmap in
            let left = Double(picture.x) + Double(bitmap.x) * scaleX
            let upper = top + Double(bitmap.y) * scaleY
            let rect = PixelRect(
                x: Int(left.rounded()), y: Int(upper.rounded()),
                width: max(1, Int((Double(bitmap.width) * scaleX).rounded())),
                height: max(1, Int((Double(bitmap.height) * scaleY).rounded())))
            guard rect.width <= 16_384, rect.height <= 16_384, bitmap.width > 0, bitmap.height > 0,
                bitmap.indices.count == bitmap.width * bitmap.height, bitmap.palette.count == 256
            else { return nil }
            return ImageOverlay(rect: rect, pixels: scaled(bitmap, to: Size(width: rect.width, height: rect.height)))
        }
    }

    /// The pixels of a bitmap at another size: smooth, and each of its own pixels counts.
    private static func scaled(_ bitmap: SubtitleBitmap, to size: Size) -> [UInt32] {
        let palette = bitmap.palette.map { premultiplied($0 & 0xFF_FFFF, alpha: $0 >> 24) }
        let source = bitmap.indices.map { palette[Int($0)] }
        if size.width == bitmap.width, size.height == bitmap.height { return source }
        let columns = taps(from: bitmap.width, to: size.width)
        let rows = taps(from: bitmap.height, to: size.height)
        // First across, then down.
        var wide = [UInt32](repeating: 0, count: size.width * bitmap.height)
        for y in 0..<bitmap.height {
            for x in 0..<size.width {
                wide[y * size.width + x] = sum(columns[x]) { source[y * bitmap.width + $0] }
            }
        }
        var result = [UInt32](repeating: 0, count: size.width * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width { result[y * size.width + x] = sum(rows[y]) { wide[$0 * size.width + x] } }
        }
        return result
    }

    /// Which pixels make one, from the first, and each one's part of 256.
    private struct Taps {
        var first: Int
        var weights: [UInt32]
    }

    private static func taps(from old: Int, to new: Int) -> [Taps] {
        let step = Double(old) / Double(new)
        let reach = max(1, step)
        return (0..<new).map { index in
            let centre = (Double(index) + 0.5) * step - 0.5
            let first = max(0, Int((centre - reach).rounded(.up)))
            let last = min(old - 1, max(first, Int((centre + reach).rounded(.down))))
            var weights = (first...last).map { max(0, 1 - abs(Double($0) - centre) / reach) }
            let whole = weights.reduce(0, +)
            if whole <= 0 { weights = weights.map { _ in 1 / Double(weights.count) } }
            var parts = weights.map { UInt32(($0 / max(whole, 1e-9) * 256).rounded()) }
            let missing = 256 - Int(parts.reduce(0, +))
            let largest = parts.indices.max { parts[$0] < parts[$1] } ?? 0
            parts[largest] = UInt32(max(0, Int(parts[largest]) + missing))
            return Taps(first: first, weights: parts)
        }
    }

    @inline(__always)
    private static func sum(_ taps: Taps, _ pixel: (Int) -> UInt32) -> UInt32 {
        var (alpha, red, green, blue): (UInt32, UInt32, UInt32, UInt32) = (128, 128, 128, 128)
        for (offset, weight) in taps.weights.enumerated() {
            let value = pixel(taps.first + offset)
            alpha &+= (value >> 24) &* weight
            red &+= (value >> 16 & 0xFF) &* weight
            green &+= (value >> 8 & 0xFF) &* weight
            blue &+= (value & 0xFF) &* weight
        }
        return min(255, alpha >> 8) << 24 | min(255, red >> 8) << 16 | min(255, green >> 8) << 8 | min(255, blue >> 8)
    }
}
