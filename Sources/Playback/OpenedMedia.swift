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
    var tags = MediaTags()
    var chapters: [Chapter] = []
    /// Whether it is a picture rather than a film, and for how many seconds that is to be shown; nil for without end.
    var isPicture = false
    var pictureDuration: Double?
    var traffic: Traffic
    /// Bytes of all streams that a second takes on average; nil where the size or the duration is not known.
    var byteRate: Double?

    /// The stream of an index.
    func stream(_ index: Int?) -> MediaStream? { streams.first { $0.index == index } }

    /// When the pictures end, of which there were `count` up to `time`: a still one stays.
    func end(ofPictures count: Int, at time: Double) -> Double {
        guard isPicture else { return time }
        if let pictureDuration { return max(time, pictureDuration) }
        // What moves is over once it has moved. A number that the clock can count to stands for never.
        return count > 1 ? time : 1e8
    }

    /// Where one may seek.
    var seekableRanges: [TimeRange] {
        guard isSeekable, !isLive, let duration else { return [] }
        return [TimeRange(start: 0, end: duration)]
    }
}
