internal import Casting

/// Pixels 0xAARRGGBB in memory, premultiplied, a row after the other.
///
/// Belongs to one thread.
final class Pixels {
    let size: Size
    let base: UnsafeMutablePointer<UInt32>

    init(_ size: Size) {
        self.size = size
        base = .allocate(capacity: max(1, size.width * size.height))
        base.initialize(repeating: 0, count: max(1, size.width * size.height))
    }

    deinit { base.deallocate() }

    var bounds: PixelRect { PixelRect(size) }

    func row(_ y: Int) -> UnsafeMutablePointer<UInt32> { base + y * size.width }

    /// Sets every pixel of a rectangle.
    func fill(_ rect: PixelRect, with pixel: UInt32) {
        let rect = rect.intersection(bounds)
        for y in rect.y..<rect.bottom where !rect.isEmpty {
            (row(y) + rect.x).update(repeating: pixel, count: rect.width)
        }
    }
}

/// Lays a premultiplied pixel over another.
@inline(__always)
func over(_ source: UInt32, _ ground: UInt32) -> UInt32 {
    let alpha = source >> 24
    if alpha == 255 { return source }
    if alpha == 0 { return ground }
    let rest = 256 &- (alpha &+ (alpha >> 7))
    let redBlue = ((ground & 0x00FF_00FF) &* rest) >> 8 & 0x00FF_00FF
    let alphaGreen = ((ground >> 8) & 0x00FF_00FF) &* rest & 0xFF00_FF00
    return source &+ (redBlue | alphaGreen)
}

/// Lays a row of premultiplied pixels over another, eight at a time.
func blendRow(_ source: UnsafePointer<UInt32>, over ground: UnsafeMutablePointer<UInt32>, count: Int) {
    let lanes = SIMD8<UInt32>.scalarCount
    let whole = count - count % lanes
    var place = 0
    while place < whole {
        let pixels = UnsafeRawPointer(source + place).loadUnaligned(as: SIMD8<UInt32>.self)
        // Most of what lies over a picture is nothing.
        if pixels != SIMD8() {
            let below = UnsafeRawPointer(ground + place).loadUnaligned(as: SIMD8<UInt32>.self)
            UnsafeMutableRawPointer(ground + place).storeBytes(of: over(pixels, below), as: SIMD8<UInt32>.self)
        }
        place += lanes
    }
    while place < count {
        ground[place] = over(source[place], ground[place])
        place += 1
    }
}

/// The same for eight pixels, without a branch: both halves of a product fit in 16 bits.
@inline(__always)
private func over(_ source: SIMD8<UInt32>, _ ground: SIMD8<UInt32>) -> SIMD8<UInt32> {
    let alpha = source &>> 24
    let rest = SIMD8(repeating: 256) &- (alpha &+ (alpha &>> 7))
    let factor = unsafeBitCast(rest | rest &<< 16, to: SIMD16<UInt16>.self)
    let redBlue = (unsafeBitCast(ground & 0x00FF_00FF, to: SIMD16<UInt16>.self) &* factor) &>> 8
    let alphaGreen = unsafeBitCast(ground &>> 8 & 0x00FF_00FF, to: SIMD16<UInt16>.self) &* factor & 0xFF00
    return source &+ unsafeBitCast(redBlue | alphaGreen, to: SIMD8<UInt32>.self)
}

/// A premultiplied pixel covering less: `coverage` of 256.
@inline(__always)
func scaled(_ pixel: UInt32, by coverage: UInt32) -> UInt32 {
    let redBlue = ((pixel & 0x00FF_00FF) &* coverage) >> 8 & 0x00FF_00FF
    let alphaGreen = ((pixel >> 8) & 0x00FF_00FF) &* coverage & 0xFF00_FF00
    return redBlue | alphaGreen
}
