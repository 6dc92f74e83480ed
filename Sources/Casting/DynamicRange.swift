/// How far pictures reach from dark to bright, and by which rule.
public enum DynamicRange: String, Codable, Hashable, Sendable {
    /// That of usual television.
    case sdr
    /// HDR10 and its kin: absolute light (SMPTE ST 2084, PQ).
    case pq
    /// Hybrid log-gamma (ARIB STD-B67).
    case hlg
}

/// The dynamic range of the media, and what becomes of it.
public struct ShownDynamicRange: Codable, Hashable, Sendable {
    /// The media's own.
    public var media: DynamicRange
    /// What reaches the screen: where it differs, pictures are tone-mapped.
    public var shown: DynamicRange

    /// Media of a range, shown as another.
    public init(media: DynamicRange, shown: DynamicRange) {
        self.media = media
        self.shown = shown
    }
}
