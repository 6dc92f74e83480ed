package import Casting

/// A rectangle of whole pixels, its origin at the top left.
package struct PixelRect: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// All of a picture of that size.
    package init(_ size: Size) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

    static let empty = PixelRect(x: 0, y: 0, width: 0, height: 0)

    package var right: Int { x + width }
    package var bottom: Int { y + height }
    package var isEmpty: Bool { width <= 0 || height <= 0 }

    /// What lies in both.
    package func intersection(_ other: PixelRect) -> PixelRect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let rect = PixelRect(
            x: left, y: top, width: min(right, other.right) - left, height: min(bottom, other.bottom) - top)
        return rect.isEmpty ? .empty : rect
    }

    /// The smallest rectangle around both.
    package func union(_ other: PixelRect) -> PixelRect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelRect(
            x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
    }

    /// Whether nothing of `other` lies outside.
    func contains(_ other: PixelRect) -> Bool {
        x <= other.x && y <= other.y && right >= other.right && bottom >= other.bottom
    }
}

/// Where a picture stands on a screen.
package enum Letterbox {
    /// The largest rectangle of the picture's shape in the middle of the screen.
    ///
    /// - Parameter picture: the size to show it at, in square pixels and upright.
    package static func rect(of picture: Size, in screen: Size) -> PixelRect {
        guard picture.width > 0, picture.height > 0, screen.width > 0, screen.height > 0 else { return .empty }
        let scale = min(
            Double(screen.width) / Double(picture.width), Double(screen.height) / Double(picture.height))
        let width = fitted(Double(picture.width) * scale, to: screen.width)
        let height = fitted(Double(picture.height) * scale, to: screen.height)
        return PixelRect(
            x: (screen.width - width) / 2, y: (screen.height - height) / 2, width: width, height: height)
    }

    /// A side in whole pixels; a hair's breadth short of the screen's is the screen's, so that no line stays dark.
    private static func fitted(_ side: Double, to limit: Int) -> Int {
        let whole = min(max(1, Int(side.rounded())), limit)
        return limit - whole <= 1 ? limit : whole
    }

    /// The dark bars beside a picture's rectangle.
    package static func borders(around rect: PixelRect, in screen: Size) -> [PixelRect] {
        [
            PixelRect(x: 0, y: 0, width: screen.width, height: rect.y),
            PixelRect(x: 0, y: rect.bottom, width: screen.width, height: screen.height - rect.bottom),
            PixelRect(x: 0, y: rect.y, width: rect.x, height: rect.height),
            PixelRect(x: rect.right, y: rect.y, width: screen.width - rect.right, height: rect.height),
        ].filter { !$0.isEmpty }
    }
}
