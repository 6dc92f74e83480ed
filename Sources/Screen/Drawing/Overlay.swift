internal import Casting

/// Everything that lies over the picture, as pixels: redrawn only where it changes.
///
/// Belongs to the main thread.
final class Overlay {
    /// What it has drawn; of the screen's size.
    private(set) var pixels: Pixels
    /// Where there is anything at all, as rectangles that do not overlap. Elsewhere the picture shows.
    private(set) var covered: [PixelRect] = []
    /// Changes with every change of the pixels.
    private(set) var generation = 0
    private var drawn: [Placed] = []

    private struct Placed: Hashable {
        var element: Element
        var frame: PixelRect
    }

    init(_ size: Size) {
        pixels = Pixels(size)
    }

    /// Draws what differs from what is drawn.
    ///
    /// - Parameter rasterizer: nil while there are no fonts yet; words are then left out.
    /// - Returns: the rectangles that changed.
    func draw(_ elements: [Element], rasterizer: (any TextRasterizer)?) -> [PixelRect] {
        let bounds = pixels.bounds
        let placed = elements.map { Placed(element: $0, frame: $0.frame(rasterizer).intersection(bounds)) }
            .filter { !$0.frame.isEmpty }
        guard placed != drawn else { return [] }
        let damage = Self.merged(Self.differences(drawn, placed))
        drawn = placed
        for rect in damage {
            pixels.fill(rect, with: 0)
            for item in placed where !item.frame.intersection(rect).isEmpty {
                pixels.draw(item.element, rasterizer: rasterizer, clip: rect)
            }
        }
        covered = Self.merged(placed.map(\.frame))
        generation += 1
        return damage
    }

    /// Where two lists differ, in content or in order.
    private static func differences(_ old: [Placed], _ new: [Placed]) -> [PixelRect] {
        let kept = Set(old).intersection(new)
        var rects = (old + new).filter { !kept.contains($0) }.map(\.frame)
        // What is in both must also lie in the same order; if not, all of it is drawn again.
        if old.filter(kept.contains) != new.filter(kept.contains) { rects += kept.map(\.frame) }
        return rects
    }

    /// Rectangles that do not overlap and cover at least the given ones.
    static func merged(_ rects: [PixelRect]) -> [PixelRect] {
        var result: [PixelRect] = []
        for rect in rects where !rect.isEmpty {
            var grown = rect
            while let index = result.firstIndex(where: { !$0.intersection(grown).isEmpty }) {
                grown = grown.union(result.remove(at: index))
            }
            result.append(grown)
        }
        return result
    }

    /// Lays it over pixels of the same size, within `rect`.
    func blend(into target: UnsafeMutablePointer<UInt32>, stride: Int, within rect: PixelRect) {
        for part in covered {
            let visible = part.intersection(rect)
            guard !visible.isEmpty else { continue }
            for y in visible.y..<visible.bottom {
                blendRow(
                    pixels.row(y) + visible.x, over: target + y * stride + visible.x, count: visible.width)
            }
        }
    }
}

extension Element {
    /// The pixels it may touch.
    fileprivate func frame(_ rasterizer: (any TextRasterizer)?) -> PixelRect {
        switch self {
        case .ground(let rect), .box(let rect, _, _), .shade(let rect, _), .image(_, let rect): rect
        case .icon(_, let rect, _): rasterizer == nil ? .empty : rect
        case .text(let run, let place, _):
            rasterizer.map { place.rect(of: $0.bitmap(for: run)) } ?? .empty
        }
    }
}

extension TextPlace {
    /// Where a bitmap of the words comes to stand.
    func rect(of bitmap: TextBitmap) -> PixelRect {
        let left =
            switch anchor {
            case .left: x
            case .centre: x - bitmap.width / 2
            case .right: x - bitmap.width
            }
        return PixelRect(x: left, y: y + bitmap.top, width: bitmap.width, height: bitmap.height)
    }
}

extension Pixels {
    fileprivate func draw(_ element: Element, rasterizer: (any TextRasterizer)?, clip: PixelRect) {
        switch element {
        case .ground(let rect): draw(ground: rect, clip: clip)
        case .box(let rect, let radius, let color): draw(box: rect, radius: radius, color: color, clip: clip)
        case .image(let image, let rect): draw(image, in: rect, clip: clip)
        case .shade(let rect, let color): draw(shade: rect, color: color, clip: clip)
        case .icon(let icon, let rect, let color):
            guard let bitmap = rasterizer?.bitmap(for: icon, side: rect.width) else { return }
            draw(bitmap, x: rect.x, y: rect.y, color: color, clip: clip)
        case .text(let run, let place, let color):
            guard let bitmap = rasterizer?.bitmap(for: run) else { return }
            let rect = place.rect(of: bitmap)
            draw(bitmap, x: rect.x, y: rect.y, color: color, clip: clip)
        }
    }
}
