/// How a picture of another shape than the screen's is laid on it, after AVLayerVideoGravity.
public enum VideoGravity: String, Codable, CaseIterable, Sendable {
    /// All of the picture in its own shape, with dark bars where it does not reach.
    case resizeAspect
    /// The whole screen, the picture in its own shape: what does not fit is left out at both sides alike.
    case resizeAspectFill
    /// All of the picture on the whole screen, in the screen's shape.
    case resize

    /// The one that comes after it when one goes through them.
    public var next: VideoGravity {
        switch self {
        case .resizeAspect: .resizeAspectFill
        case .resizeAspectFill: .resize
        case .resize: .resizeAspect
        }
    }

    /// Where a picture lies; nil where there is none, or no screen.
    ///
    /// - Parameters:
    ///   - picture: the size to show it at, in square pixels and upright.
    ///   - screen: pixels of the screen.
    /// - Returns: a rectangle in the middle of the screen; with `resizeAspectFill` it may reach beyond the screen's edges.
    public func rect(of picture: Size, in screen: Size) -> VideoRect? {
        guard picture.width > 0, picture.height > 0, screen.width > 0, screen.height > 0 else { return nil }
        let scales = (
            Double(screen.width) / Double(picture.width), Double(screen.height) / Double(picture.height)
        )
        let scale: Double
        switch self {
        case .resize: return VideoRect(x: 0, y: 0, width: screen.width, height: screen.height)
        case .resizeAspect: scale = min(scales.0, scales.1)
        case .resizeAspectFill: scale = max(scales.0, scales.1)
        }
        let width = Self.fitted(Double(picture.width) * scale, to: screen.width)
        let height = Self.fitted(Double(picture.height) * scale, to: screen.height)
        return VideoRect(
            x: (screen.width - width) / 2, y: (screen.height - height) / 2, width: width, height: height)
    }

    /// A side in whole pixels; a hair's breadth beside the screen's is the screen's, so that no line stays dark.
    private static func fitted(_ side: Double, to screen: Int) -> Int {
        let whole = max(1, Int(min(side, 1e6).rounded()))
        return abs(screen - whole) <= 1 ? screen : whole
    }
}

/// Where a picture lies on the screen, in the screen's pixels from its top left, after AVPlayerLayer.videoRect.
public struct VideoRect: Codable, Hashable, Sendable {
    /// Pixels from the screen's left edge to the picture's; negative where the picture begins beyond it.
    public var x: Int
    /// Pixels from the screen's upper edge to the picture's; negative where the picture begins beyond it.
    public var y: Int
    /// The picture's width.
    public var width: Int
    /// The picture's height.
    public var height: Int

    /// A rectangle of the screen.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
