/// How much of a picture is left out at each edge, as shares of its upright width and height.
public struct Crop: Hashable, Sendable {
    /// Share of the width left out on the left, 0 to 1.
    public var left: Double
    /// Share of the height left out at the top, 0 to 1.
    public var top: Double
    /// Share of the width left out on the right, 0 to 1.
    public var right: Double
    /// Share of the height left out at the bottom, 0 to 1.
    public var bottom: Double

    /// A crop of each edge.
    public init(left: Double = 0, top: Double = 0, right: Double = 0, bottom: Double = 0) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    /// The whole picture.
    public static let none = Crop()

    /// The same edges of the picture as it is stored, before it is turned.
    func stored(_ orientation: Orientation) -> Crop {
        var crop =
            switch orientation.rotation {
            case 90: Crop(left: top, top: right, right: bottom, bottom: left)
            case 180: Crop(left: right, top: bottom, right: left, bottom: top)
            case 270: Crop(left: bottom, top: left, right: top, bottom: right)
            default: self
            }
        if orientation.mirrored { (crop.left, crop.right) = (crop.right, crop.left) }
        return crop
    }
}
