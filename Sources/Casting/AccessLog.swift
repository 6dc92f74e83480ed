/// What one uninterrupted stretch of playing took from the network, after AVPlayerItemAccessLogEvent. What is not known
/// is absent.
public struct AccessLogEntry: Codable, Hashable, Sendable {
    /// The URL that answered, after redirects.
    public var uri: String
    /// When the stretch began, as ISO 8601 writes it.
    public var playbackStartDate: String
    /// Names this playing of the item; also sent to its server as `X-Playback-Session-Id`.
    public var playbackSessionID: String
    /// Seconds of item time at which the stretch began.
    public var playbackStartOffset: Double
    /// `LIVE` or `FILE`.
    public var playbackType: String?
    /// Seconds from the request to play the item to being ready for it.
    public var startupTime: Double?
    /// Seconds of item time that were seen.
    public var durationWatched = 0.0
    /// Seconds of item time that were loaded.
    public var segmentsDownloadedDuration = 0.0
    /// Times playback ran dry.
    public var numberOfStalls = 0
    /// Pictures left out because their time had passed.
    public var numberOfDroppedVideoFrames = 0
    /// Requests for media.
    public var numberOfMediaRequests = 0
    /// The server's address.
    public var serverAddress: String?
    /// How often it changed.
    public var numberOfServerAddressChanges = 0
    /// Bytes received.
    public var numberOfBytesTransferred: Int64 = 0
    /// Seconds spent waiting for them.
    public var transferDuration = 0.0
    /// Bits a second that came while they were waited for.
    public var observedBitrate: Double?
    /// By how much that varied.
    public var observedBitrateStandardDeviation: Double?

    /// A stretch that has just begun.
    public init(uri: String, playbackStartDate: String, playbackSessionID: String, playbackStartOffset: Double) {
        self.uri = uri
        self.playbackStartDate = playbackStartDate
        self.playbackSessionID = playbackSessionID
        self.playbackStartOffset = playbackStartOffset
    }
}

/// A failure of the network, whether or not it could be mended, after AVPlayerItemErrorLogEvent. What is not known is
/// absent.
public struct ErrorLogEntry: Codable, Hashable, Sendable {
    /// When, as ISO 8601 writes it.
    public var date: String
    /// What was asked for.
    public var uri: String
    /// The server's address.
    public var serverAddress: String?
    /// Names this playing of the item.
    public var playbackSessionID: String
    /// The HTTP status; absent where there was no answer.
    public var errorStatusCode: Int?
    /// The kind of failure: the code of an error.
    public var errorDomain: String
    /// A plain sentence.
    public var errorComment: String

    /// A failure.
    public init(
        date: String, uri: String, serverAddress: String?, playbackSessionID: String, errorStatusCode: Int?,
        errorDomain: String, errorComment: String
    ) {
        self.date = date
        self.uri = uri
        self.serverAddress = serverAddress
        self.playbackSessionID = playbackSessionID
        self.errorStatusCode = errorStatusCode
        self.errorDomain = errorDomain
        self.errorComment = errorComment
    }
}

/// The answer of `GET …/accessLog`: of the current item, or of the last one.
public struct AccessLogDocument: Codable, Hashable, Sendable {
    /// The item's id; absent where nothing has been played yet.
    public var itemID: String?
    /// Oldest first; the last one may still be growing.
    public var events: [AccessLogEntry]

    /// The log of an item.
    public init(itemID: String? = nil, events: [AccessLogEntry] = []) {
        self.itemID = itemID
        self.events = events
    }
}

/// The answer of `GET …/errorLog`: of the current item, or of the last one.
public struct ErrorLogDocument: Codable, Hashable, Sendable {
    /// The item's id; absent where nothing has been played yet.
    public var itemID: String?
    /// Oldest first.
    public var events: [ErrorLogEntry]

    /// The log of an item.
    public init(itemID: String? = nil, events: [ErrorLogEntry] = []) {
        self.itemID = itemID
        self.events = events
    }
}
