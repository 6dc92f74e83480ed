/// Words turned into coverage: white on nothing, to be coloured when drawn.
package struct TextBitmap: Sendable {
    /// Pixels from left to right; 0 where nothing shows.
    package var width: Int
    /// Pixels from top to bottom.
    package var height: Int
    /// How far below the top of the first line the bitmap's top is.
    package var top: Int
    /// 0 to 255 a pixel, a row after the other.
    package var coverage: [UInt8]

    static let empty = TextBitmap(width: 0, height: 0, top: 0, coverage: [])
}

/// Turns words and signs into coverage.
package protocol TextRasterizer: AnyObject {
    /// The words set as asked, cut to their lines and width.
    func bitmap(for run: TextRun) -> TextBitmap
    /// A sign in a square of so many pixels.
    func bitmap(for icon: Icon, side: Int) -> TextBitmap
}
