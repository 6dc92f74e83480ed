public import Casting
public import FoundationEssentials

/// A picture in memory: four bytes a pixel (blue, green, red, one unused), rows without gaps.
public struct PixelPicture: Hashable, Sendable {
    /// Pixels from left to right.
    public let width: Int
    /// Pixels from top to bottom.
    public let height: Int
    /// The pixels, row after row.
    public var bytes: [UInt8]

    /// A black picture.
    public init(width: Int, height: Int) {
        self.init(width: width, height: height, bytes: [UInt8](repeating: 0, count: width * height * 4))
    }

    /// A picture of given pixels; there must be `width * height * 4` bytes.
    public init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(bytes.count == width * height * 4)
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// The picture as a PNG file.
    public func png() throws(CastError) -> Data { Data() }
}

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
}
