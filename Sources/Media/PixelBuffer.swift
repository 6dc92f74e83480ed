import Casting

/// Pixels in memory of our own, as a stage before the place where they are to be.
final class PixelBuffer {
    let size: Size
    let pixels: UnsafeMutableRawPointer
    let stride: Int

    init(_ size: Size) {
        self.size = size
        // Rows end on a multiple of 64 bytes, because libswscale writes past the last pixel where there is room.
        stride = (size.width * 4 + 63) / 64 * 64
        pixels = .allocate(byteCount: stride * size.height + 64, alignment: 64)
    }

    deinit {
        pixels.deallocate()
    }

    /// Multiplies each pixel with its alpha, which leaves what is behind it black.
    func blendOnBlack() {
        for y in 0..<size.height {
            let row = (pixels + y * stride).assumingMemoryBound(to: UInt8.self)
            for x in 0..<size.width {
                let alpha = UInt16(row[x * 4 + 3])
                guard alpha < 255 else { continue }
                for channel in x * 4..<x * 4 + 3 { row[channel] = UInt8((UInt16(row[channel]) * alpha + 127) / 255) }
            }
        }
    }

    /// Copies the picture upright to its place of `width` by `height` pixels.
    func copy(
        to target: UnsafeMutableRawPointer, stride targetStride: Int, width: Int, height: Int, orientation: Orientation
    ) {
        guard orientation != Orientation() else {
            for y in 0..<height {
                (target + y * targetStride).copyMemory(from: pixels + y * stride, byteCount: width * 4)
            }
            return
        }
        // Steps through the stored picture for one pixel to the right and one down in the upright one.
        let (last, lowest) = (size.width - 1, size.height - 1)
        var start = (x: 0, y: 0)
        var right = (x: 1, y: 0)
        var down = (x: 0, y: 1)
        switch orientation.rotation {
        case 90: (start, right, down) = ((0, lowest), (0, -1), (1, 0))
        case 180: (start, right, down) = ((last, lowest), (-1, 0), (0, -1))
        case 270: (start, right, down) = ((last, 0), (0, 1), (-1, 0))
        default: break
        }
        if orientation.mirrored {
            start.x = last - start.x
            right.x = -right.x
            down.x = -down.x
        }
        let step = right.y * stride + right.x * 4
        // Square tiles, so that turning by a quarter uses each line of the cache once.
        let tile = 32
        for top in Swift.stride(from: 0, to: height, by: tile) {
            for left in Swift.stride(from: 0, to: width, by: tile) {
                for y in top..<min(top + tile, height) {
                    let x = start.x + left * right.x + y * down.x
                    let line = start.y + left * right.y + y * down.y
                    var from = line * stride + x * 4
                    let to = (target + y * targetStride).assumingMemoryBound(to: UInt32.self)
                    for column in left..<min(left + tile, width) {
                        to[column] = pixels.load(fromByteOffset: from, as: UInt32.self)
                        from += step
                    }
                }
            }
        }
    }
}
