/// What is known of the current item, after AVPlayerItem.
public struct ItemState: Codable, Hashable, Sendable {
    /// The item's name within the session.
    public var id: String
    /// A title for people: the sender's, else the media's own.
    public var title: String?
    /// Who made it: the sender's word, else the media's own.
    public var artist: String?
    /// The record it is on, by the media's own word.
    public var album: String?
    /// Its place on the record, as the media writes it: `3` or `3/12`.
    public var track: String?
    /// When it came out, as the media writes it: a year or a date.
    public var date: String?
    /// Where a picture of it is, by the sender's word.
    public var artworkURL: String?
    /// The media type of the picture that `GET …/artwork` answers with; nil where there is none.
    public var artworkType: String?
    /// Its chapters, in order; nil where it has none.
    public var chapters: [Chapter]?
    /// Whether it can be played.
    public var status: ItemStatus = .unknown
    /// Why it cannot; nil unless `status` is failed.
    public var error: CastError?
    /// What of it cannot be played although the rest can, such as sound in an unknown format; nil where all can.
    public var notice: CastError?
    /// Seconds from first to last; nil until known, and for live media. Always present on the wire, null for nil.
    public var duration: Double?
    /// Whether it is a live stream without end.
    public var isLive = false
    /// Where one may seek.
    public var seekableTimeRanges: [TimeRange] = []
    /// What is at hand without asking the network.
    public var loadedTimeRanges: [TimeRange] = []
    /// Whether playback is expected to reach the end without running dry.
    public var likelyToKeepUp = false
    /// Whether the buffer takes no more.
    public var bufferFull = false
    /// Whether nothing is left to play from.
    public var bufferEmpty = true
    /// The tracks of the media.
    public var tracks: [MediaTrack] = []
    /// What can be chosen among, and what is; nil until known.
    public var mediaSelectionGroups: [MediaSelectionGroup]?
    /// Width and height to show it at, in square pixels, upright; nil before it is known and without a picture.
    public var presentationSize: Size?
    /// How far the pictures reach from dark to bright; nil before the first and without a picture.
    public var dynamicRange: ShownDynamicRange?
    /// The container's name as FFmpeg gives it; nil before it is known.
    public var container: String?

    /// An item of which nothing is known yet.
    public init(id: String, title: String? = nil, artist: String? = nil, artworkURL: String? = nil) {
        self.id = id
        self.title = title
        self.artist = artist
        self.artworkURL = artworkURL
    }

    /// Writes every known field, and `duration` even where it is nil.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(title, forKey: .title)
        try container.encodeIfPresent(artist, forKey: .artist)
        try container.encodeIfPresent(album, forKey: .album)
        try container.encodeIfPresent(track, forKey: .track)
        try container.encodeIfPresent(date, forKey: .date)
        try container.encodeIfPresent(artworkURL, forKey: .artworkURL)
        try container.encodeIfPresent(artworkType, forKey: .artworkType)
        try container.encodeIfPresent(chapters, forKey: .chapters)
        try container.encode(status, forKey: .status)
        try container.encodeIfPresent(error, forKey: .error)
        try container.encodeIfPresent(notice, forKey: .notice)
        try container.encode(duration, forKey: .duration)
        try container.encode(isLive, forKey: .isLive)
        try container.encode(seekableTimeRanges, forKey: .seekableTimeRanges)
        try container.encode(loadedTimeRanges, forKey: .loadedTimeRanges)
        try container.encode(likelyToKeepUp, forKey: .likelyToKeepUp)
        try container.encode(bufferFull, forKey: .bufferFull)
        try container.encode(bufferEmpty, forKey: .bufferEmpty)
        try container.encode(tracks, forKey: .tracks)
        try container.encodeIfPresent(mediaSelectionGroups, forKey: .mediaSelectionGroups)
        try container.encodeIfPresent(presentationSize, forKey: .presentationSize)
        try container.encodeIfPresent(dynamicRange, forKey: .dynamicRange)
        try container.encodeIfPresent(self.container, forKey: .container)
    }
}

/// A width and a height in pixels.
public struct Size: Codable, Hashable, Sendable {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// A size of `width` by `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// One stream of the media.
public struct MediaTrack: Codable, Hashable, Sendable {
    /// What a track carries, after AVMediaCharacteristic.
    public enum Kind: String, Codable, Sendable {
        /// Sound.
        case audible
        /// Pictures.
        case visual
        /// Text.
        case legible
    }

    /// Names the track within its item.
    public var id: String
    /// What it carries.
    public var kind: Kind
    /// The codec's name as FFmpeg gives it, for example `h264`.
    public var codec: String
    /// Its language as the media gives it.
    public var language: String?
    /// A name for people.
    public var name: String?
    /// Whether it is the one being played.
    public var selected: Bool

    /// A track of an item.
    public init(id: String, kind: Kind, codec: String, language: String? = nil, name: String? = nil, selected: Bool) {
        self.id = id
        self.kind = kind
        self.codec = codec
        self.language = language
        self.name = name
        self.selected = selected
    }
}
