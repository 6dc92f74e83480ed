internal import Casting
internal import Media

/// Gathers what an item took from the network into entries, one for each uninterrupted stretch of playing: a value that
/// only adds up.
///
/// It is told the figures as they are now and then; a stretch ends with a seek or a stall, and the next begins once
/// playback moves again.
struct AccessLogKeeper {
    /// Figures of an item at one instant, counted from its beginning.
    struct Figures {
        /// ISO 8601.
        var date: String
        /// Seconds of item time.
        var position: Double
        var isMoving: Bool
        /// Seconds of item time up to which it is loaded.
        var loadedUpTo: Double?
        var isReady: Bool
        var isLive: Bool
        var stalls: Int
        var droppedFrames: Int
        var traffic: TrafficFigures
        /// Seconds since the item was asked for.
        var age: Double
    }

    /// Entries kept at most; the oldest go.
    static let most = 200
    /// Seconds of item time that cannot have been seen between two tellings.
    private static let longestStep = 5.0

    private let playbackSessionID: String
    private let url: String
    private var closed: [AccessLogEntry] = []
    private var entry: AccessLogEntry?
    /// The figures when the open entry's reckoning began: the last entry's end.
    private var base: Figures?
    private var last: Figures?
    private var watched = 0.0
    private var startupTime: Double?

    init(url: String, playbackSessionID: String) {
        self.url = url
        self.playbackSessionID = playbackSessionID
    }

    /// Takes in how things are.
    mutating func note(_ now: Figures) {
        if now.isReady, startupTime == nil { startupTime = now.age }
        if let last, last.isMoving, entry != nil {
            let step = now.position - last.position
            if step > 0, step < Self.longestStep { watched += step }
        }
        if now.isMoving, entry == nil {
            entry = AccessLogEntry(
                uri: now.traffic.url ?? url, playbackStartDate: now.date, playbackSessionID: playbackSessionID,
                playbackStartOffset: now.position)
            entry?.startupTime = closed.isEmpty ? startupTime : nil
            watched = 0
        }
        last = now
    }

    /// A seek or a stall: the stretch has ended.
    mutating func interrupt(_ now: Figures) {
        note(now)
        guard let finished = grown(now) else { return }
        closed.append(finished)
        if closed.count > Self.most { closed.removeFirst() }
        entry = nil
        base = now
        // What was left before a seek is no way that was watched.
        last = nil
    }

    /// All entries, the open one as it is now.
    func entries(_ now: Figures) -> [AccessLogEntry] {
        var copy = self
        copy.note(now)
        return copy.closed + [copy.grown(now)].compactMap(\.self)
    }

    private func grown(_ now: Figures) -> AccessLogEntry? {
        guard var result = entry else { return nil }
        let (traffic, old) = (now.traffic, base?.traffic ?? TrafficFigures())
        result.uri = traffic.url ?? url
        result.playbackType = now.isLive ? "LIVE" : "FILE"
        result.durationWatched = watched
        let start = max(result.playbackStartOffset, base?.loadedUpTo ?? 0)
        result.segmentsDownloadedDuration = max(0, (now.loadedUpTo ?? start) - start)
        result.numberOfStalls = now.stalls - (base?.stalls ?? 0)
        result.numberOfDroppedVideoFrames = now.droppedFrames - (base?.droppedFrames ?? 0)
        result.numberOfMediaRequests = traffic.requestCount - old.requestCount
        result.numberOfBytesTransferred = traffic.byteCount - old.byteCount
        result.transferDuration = traffic.transferDuration - old.transferDuration
        result.serverAddress = traffic.serverAddress
        result.numberOfServerAddressChanges = traffic.serverAddressChanges - old.serverAddressChanges
        result.observedBitrate = traffic.bytesPerSecond.map { $0 * 8 }
        result.observedBitrateStandardDeviation = traffic.deviation.map { $0 * 8 }
        return result
    }
}
