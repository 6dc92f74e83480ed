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

/// A premultiplied pixel covering less: `coverage` of 256.
@inline(__always)
func scaled(_ pixel: UInt32, by coverage: UInt32) -> UInt32 {
    let redBlue = ((pixel & 0x00FF_00FF) &* coverage) >> 8 & 0x00FF_00FF
    let alphaGreen = ((pixel >> 8) & 0x00FF_00FF) &* coverage & 0xFF00_FF00
    return redBlue | alphaGreen
}
