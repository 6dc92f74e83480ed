/// One thing to play, as a sender names it.
public struct MediaItem: Codable, Hashable, Sendable, Identifiable {
    /// Names the item within its session's queue. The receiver gives one where the sender does not.
    public var id: String?
    /// Where the media is: an absolute http or https URL.
    public var url: String
    /// Request headers for the origin of `url` (for example cookies); never sent to another origin.
    public var headers: [String: String]?
    /// A title for people.
    public var title: String?
    /// Who made it, for people.
    public var artist: String?
    /// Where a picture of it is: an absolute http or https URL.
    public var artworkURL: String?
    /// The media type, where the sender knows it better than the server.
    public var contentType: String?
    /// Seconds of item time to start at; 0 where absent.
    public var startPosition: Double?
    /// The rate to play at (0.5 to 2); the session's default rate where absent.
    public var rate: Double?
    /// Whether to show the first picture and stay there.
    public var paused: Bool?
    /// Whether it is to be made as loud as other items: by its own tags where it has some, else by measuring while it
    /// plays. Off where absent.
    public var normalizesLoudness: Bool?
    /// Seconds for which a still picture is shown, 0.1 to 86,400; without end where absent. Films have their own time.
    public var pictureDuration: Double?
    /// Languages for sound and subtitles, BCP 47 tags, best first.
    public var preferredLanguages: [String]?
    /// Subtitles that are not part of the media: SRT, WebVTT, ASS and others, in any encoding.
    public var subtitles: [ExternalSubtitles]?

    /// An item at `url`.
    public init(url: String, title: String? = nil, startPosition: Double? = nil, paused: Bool? = nil) {
        self.url = url
        self.title = title
        self.startPosition = startPosition
        self.paused = paused
    }
}

/// A subtitle file beside the media.
public struct ExternalSubtitles: Codable, Hashable, Sendable {
    /// Where it is: an absolute http or https URL.
    public var url: String
    /// Its language as a BCP 47 tag.
    public var language: String?
    /// A name for people.
    public var name: String?

    /// Subtitles at `url`.
    public init(url: String, language: String? = nil, name: String? = nil) {
        self.url = url
        self.language = language
        self.name = name
    }
}
