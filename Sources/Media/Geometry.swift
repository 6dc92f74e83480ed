import Casting

/// At which size to show a picture: decisions about pixel shapes.
enum Geometry {
    /// Shapes of whole pictures that are believed, width by height. DVB's 32:11 is the widest in use.
    static let believableAspects = 1.0 / 3...3.0

    /// The upright size in square pixels.
    ///
    /// - Parameters:
    ///   - pixelAspects: the pixels' width by height as different places say, the most trustworthy first; nil where one
    ///     says nothing. A shape that makes an unbelievable picture is passed over.
    static func displaySize(width: Int, height: Int, pixelAspects: [Double?], orientation: Orientation) -> Size? {
        guard width > 0, height > 0 else { return nil }
        let stored = Double(width) / Double(height)
        let aspect = pixelAspects.compactMap { $0 }.first { $0 == 1 || believableAspects.contains($0 * stored) } ?? 1
        // Pixels are only ever made larger, so that nothing of the picture is lost.
        let size =
            aspect >= 1
            ? Size(width: Int((Double(width) * aspect).rounded()), height: height)
            : Size(width: width, height: Int((Double(height) / aspect).rounded()))
        return orientation.swapsAxes ? Size(width: size.height, height: size.width) : size
    }
}
