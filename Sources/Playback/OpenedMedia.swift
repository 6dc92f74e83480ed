internal import Casting
internal import Media

/// What is known of an item once it is open.
struct OpenedMedia: Sendable {
    var container: String
    var streams: [MediaStream]
    /// What can be chosen among, and what is to be played.
    var selector: TrackSelector
    /// What is played.
    var choice: TrackChoice
    var duration: Double?
    var isLive: Bool
    var isSeekable: Bool
    var title: String?
    var artist: String?
    var traffic: Traffic
    /// Bytes of all streams that a second takes on average; nil where the size or the duration is not known.
    var byteRate: Double?

    /// The stream of an index.
    func stream(_ index: Int?) -> MediaStream? { streams.first { $0.index == index } }

    /// Where one may seek.
    var seekableRanges: [TimeRange] {
        guard isSeekable, !isLive, let duration else { return [] }
        return [TimeRange(start: 0, end: duration)]
    }
}
