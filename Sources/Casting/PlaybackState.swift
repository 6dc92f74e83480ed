/// Whether playback moves, after AVPlayer's property of the same name.
public enum TimeControlStatus: String, Codable, Sendable {
    /// Stands still until asked to play.
    case paused
    /// Will play at `rate` as soon as the reason to wait is gone. Never to be shown as paused.
    case waitingToPlayAtSpecifiedRate
    /// Moves.
    case playing
}

/// Why playback waits, after AVPlayer.WaitingReason.
public enum WaitingReason: String, Codable, Sendable {
    /// Just begun: not yet known whether the buffer will do. No spinner is due.
    case evaluatingBufferingRate
    /// Would run dry before the end at this rate.
    case toMinimizeStalls
    /// There is nothing to play.
    case noItemToPlay
}

/// Whether an item can be played, after AVPlayerItem.Status.
public enum ItemStatus: String, Codable, Sendable {
    /// Still being opened.
    case unknown
    /// Its tracks and duration are known.
    case readyToPlay
    /// Cannot be played; final for this item. Its `error` says why.
    case failed
}

/// Everything true about playback at one instant: the state document.
public struct PlaybackState: Codable, Hashable, Sendable {
    /// Whether playback moves.
    public var timeControlStatus: TimeControlStatus = .paused
    /// Why it waits; nil unless it does.
    public var reasonForWaitingToPlay: WaitingReason?
    /// The rate asked for: 0 when paused; stays as asked while waiting.
    public var rate: Double = 0
    /// The rate that `play` goes back to.
    public var defaultRate: Double = 1
    /// Position, the instant it was true at, and the rate at which it really moves.
    public var timeline = Timeline(position: 0, hostTime: HostTime(nanoseconds: 0), effectiveRate: 0)
    /// The current item; nil when idle.
    public var item: ItemState?
    /// Whether the current item's first picture is on the screen; false for sound alone.
    public var readyForDisplay = false
    /// Where the current item's pictures lie on the screen; nil before the first and without a picture.
    public var videoRect: VideoRect?
    /// Loudness, 0 (silent) to 1 (full).
    public var volume: Double = 1
    /// Whether sound is off whatever the volume.
    public var muted = false
    /// How subtitles show.
    public var subtitles: SubtitleSettings?
    /// Ids of the queue's items in playing order, the current one among them.
    public var queue: [String] = []
    /// How the session plays; all of the options. Nil only where a receiver of an older version says the state.
    public var options: PlaybackOptions? = .standard
    /// How well the picture kept up with the sound.
    public var statistics = PlaybackStatistics()

    /// The state of an idle player.
    public init() {}

    /// The rates that playback can have, beside 0: those at which sound keeps its pitch and pictures keep up.
    public static let rates = 0.5...2.0
}

/// How well presentation went since the item began.
public struct PlaybackStatistics: Codable, Hashable, Sendable {
    /// Pictures put on the screen.
    public var displayedFrames = 0
    /// Pictures left out because their time had passed.
    public var droppedFrames = 0
    /// Seconds by which pictures came after their sound, a running mean; negative when before it, nil without both.
    public var audioVideoOffset: Double?
    /// Times playback ran dry.
    public var stalls = 0

    /// Nothing shown yet.
    public init() {}
}
