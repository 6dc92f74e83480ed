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
    /// The rectangle of a picture by its gravity; it may reach beyond the screen.
    ///
    /// - Parameter picture: the size to show it at, in square pixels and upright.
    package static func rect(
        of picture: Size, in screen: Size, _ gravity: VideoGravity = .resizeAspect
    ) -> PixelRect {
        guard let rect = gravity.rect(of: picture, in: screen) else { return .empty }
        return PixelRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
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
