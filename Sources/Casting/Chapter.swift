/// A part of an item with a name.
public struct Chapter: Codable, Hashable, Sendable {
    /// Its name for people; nil where it has none.
    public var title: String?
    /// Seconds of item time at which it begins.
    public var start: Double
    /// Seconds of item time at which it ends; at least `start`.
    public var end: Double

    /// A chapter from `start` to `end`.
    public init(title: String? = nil, start: Double, end: Double) {
        self.title = title
        self.start = start
        self.end = end
    }
}
