/// How a stored picture is to be turned to stand upright: mirrored first, then turned clockwise.
public struct Orientation: Hashable, Sendable {
    /// Degrees to turn clockwise: 0, 90, 180 or 270.
    public var rotation: Int
    /// Whether left and right are to be swapped, before turning.
    public var mirrored: Bool

    /// An orientation; upright unless said otherwise.
    public init(rotation: Int = 0, mirrored: Bool = false) {
        self.rotation = rotation
        self.mirrored = mirrored
    }

    /// Whether width and height change places.
    public var swapsAxes: Bool { rotation == 90 || rotation == 270 }

    /// Reads a display matrix (ISO 14496-12 §8.3.2, nine 16.16 numbers) to the nearest quarter turn.
    init(displayMatrix matrix: [Int32]) {
        guard matrix.count == 9 else {
            self.init()
            return
        }
        // Row vectors: (x, y) goes to (a x + c y, b x + d y), with y pointing down.
        let (a, b, c, d) = (Double(matrix[0]), Double(matrix[1]), Double(matrix[3]), Double(matrix[4]))
        let mirrored = a * d - b * c < 0
        // Where the stored picture's right-hand direction points; mirroring has turned it round first.
        let (x, y) = mirrored ? (-a, -b) : (a, b)
        let rotation: Int
        if abs(x) >= abs(y) {
            rotation = x >= 0 ? 0 : 180
        } else {
            rotation = y >= 0 ? 90 : 270
        }
        self.init(rotation: rotation, mirrored: mirrored)
    }
}
