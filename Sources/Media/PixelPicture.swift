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
}
