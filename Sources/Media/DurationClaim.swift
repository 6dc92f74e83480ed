/// What a container says about its length, and whether to believe it.
struct DurationClaim {
    /// Seconds; nil where it says nothing.
    var seconds: Double?
    /// The file's size; nil where not known.
    var byteCount: Int64?

    /// Fewer bits a second than this are no media.
    static let leastBitRate = 100.0
    /// More seconds than this (a month) are no film.
    static let longest = 31.0 * 86_400

    /// The seconds, where they can be true.
    var believable: Double? {
        guard let seconds, seconds > 0, seconds < Self.longest else { return nil }
        if let byteCount, Double(byteCount) * 8 / seconds < Self.leastBitRate { return nil }
        return seconds
    }
}
