#if canImport(Glibc)
    import Glibc
#endif

/// Shapes, each drawn only within `clip`.
extension Pixels {
    /// A box with round corners, smooth at their edges.
    func draw(box: PixelRect, radius: Int, color: Color, clip: PixelRect) {
        let visible = box.intersection(clip).intersection(bounds)
        let pixel = color.premultiplied
        guard !visible.isEmpty, pixel >> 24 > 0 else { return }
        let radius = min(radius, box.width / 2, box.height / 2)
        for y in visible.y..<visible.bottom {
            let row = row(y)
            let fromEdge = min(y - box.y, box.bottom - 1 - y)
            guard fromEdge < radius else {
                for x in visible.x..<visible.right { row[x] = over(pixel, row[x]) }
                continue
            }
            let dy = Double(radius - fromEdge) - 0.5
            for x in visible.x..<visible.right {
                let side = min(x - box.x, box.right - 1 - x)
                guard side < radius else {
                    row[x] = over(pixel, row[x])
                    continue
                }
                let dx = Double(radius - side) - 0.5
                let cover = Double(radius) - (dx * dx + dy * dy).squareRoot() + 0.5
                if cover >= 1 {
                    row[x] = over(pixel, row[x])
                } else if cover > 0 {
                    row[x] = over(scaled(pixel, by: UInt32(cover * 256)), row[x])
                }
            }
        }
    }

    /// A darkness that grows smoothly from the top of `rect` to its bottom.
    func draw(shade rect: PixelRect, color: Color, clip: PixelRect) {
        let visible = rect.intersection(clip).intersection(bounds)
        guard !visible.isEmpty else { return }
        for y in visible.y..<visible.bottom {
            let part = (Double(y - rect.y) + 0.5) / Double(rect.height)
            let pixel = color.opacity(part * part * (3 - 2 * part)).premultiplied
            let row = row(y)
            for x in visible.x..<visible.right { row[x] = over(pixel, row[x]) }
        }
    }

    /// Coverage, 0 to 255 a pixel, in a colour.
    func draw(_ bitmap: TextBitmap, x: Int, y: Int, color: Color, clip: PixelRect) {
        let rect = PixelRect(x: x, y: y, width: bitmap.width, height: bitmap.height)
        let visible = rect.intersection(clip).intersection(bounds)
        let pixel = color.premultiplied
        guard !visible.isEmpty, pixel >> 24 > 0 else { return }
        bitmap.coverage.withUnsafeBufferPointer { coverage in
            for row in visible.y..<visible.bottom {
                let target = self.row(row)
                let offset = (row - y) * bitmap.width - x
                for column in visible.x..<visible.right {
                    let cover = UInt32(coverage[offset + column])
                    guard cover > 0 else { continue }
                    target[column] = over(scaled(pixel, by: cover &+ (cover >> 7)), target[column])
                }
            }
        }
    }

    /// The ground of cards: dark, lighter towards the top, with a soft light from one side.
    ///
    /// Dark slopes show steps in 8 bits; a fixed pattern of 8 by 8 thresholds hides them.
    func draw(ground rect: PixelRect, clip: PixelRect) {
        let visible = rect.intersection(clip).intersection(bounds)
        guard !visible.isEmpty else { return }
        let top = Palette.groundTop.parts
        let bottom = Palette.groundBottom.parts
        let glow = Palette.glow.parts
        let centre = (x: Float(rect.x) + Float(rect.width) * 0.82, y: Float(rect.y) - Float(rect.height) * 0.1)
        let reach = 1 / (Float(rect.height) * 1.15)
        ditherPattern.withUnsafeBufferPointer { pattern in
            for y in visible.y..<visible.bottom {
                let part = (Float(y - rect.y) + 0.5) / Float(rect.height)
                let base = top + (bottom - top) * part
                let dy = (Float(y) - centre.y) * reach
                let row = row(y)
                let thresholds = pattern.baseAddress! + (y & 7) * 8
                for x in visible.x..<visible.right {
                    let dx = (Float(x) - centre.x) * reach
                    let light = max(0, 1 - dx * dx - dy * dy)
                    let mixed = base + (glow - base) * (light * light * 0.62) + thresholds[x & 7]
                    row[x] =
                        0xFF00_0000 | UInt32(mixed.x) << 16 | UInt32(mixed.y) << 8 | UInt32(mixed.z)
                }
            }
        }
    }
}

extension Color {
    /// Red, green and blue, 0 to 255.
    fileprivate var parts: SIMD3<Float> { SIMD3(Float(red), Float(green), Float(blue)) }
}

/// The 8 by 8 Bayer matrix as thresholds between 0 and 1.
private let ditherPattern: [Float] = (0..<64).map { index in
    let x = index & 7
    let y = index >> 3
    var value = 0
    for bit in 0..<3 {
        let a = (x ^ y) >> bit & 1
        let b = y >> bit & 1
        value |= (a << 1 | b) << (2 * (2 - bit))
    }
    return (Float(value) + 0.5) / 64
}
