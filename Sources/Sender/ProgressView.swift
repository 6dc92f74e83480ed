public import Casting

/// What a line about playback shows.
public struct ProgressView: Hashable, Sendable {
    /// What playback does, in one word or two.
    public var word: String
    /// Seconds of item time.
    public var position: Double
    /// Seconds from first to last; nil before it is known, and for live media.
    public var duration: Double?
    /// Whether it is a stream without end.
    public var isLive: Bool
    /// Seconds that are at hand from here on; nil where nothing is known of it.
    public var buffered: Double?
    /// What else is to be said: rate, muted.
    public var notes: [String]

    /// What to show of a state, at a position.
    ///
    /// - Parameter isConnected: false while the receiver does not answer.
    public init(_ state: PlaybackState, position: Double, isConnected: Bool = true) {
        word = isConnected ? Self.word(state) : "no answer"
        self.position = position
        duration = state.item?.duration
        isLive = state.item?.isLive ?? false
        buffered = Self.buffered(state, from: position)
        notes = []
        if state.rate != 0, state.rate != 1 { notes.append("×" + decimal(state.rate)) }
        if state.muted { notes.append("muted") }
    }

    /// What playback does: idle, opening, failed, paused, buffering or playing.
    public static func word(_ state: PlaybackState) -> String {
        guard let item = state.item else { return "idle" }
        if item.status == .failed { return "failed" }
        switch state.timeControlStatus {
        case .playing: return "playing"
        case .waitingToPlayAtSpecifiedRate: return item.status == .unknown ? "opening" : "buffering"
        case .paused: return item.status == .unknown ? "opening" : "paused"
        }
    }

    private static func buffered(_ state: PlaybackState, from position: Double) -> Double? {
        // A range may begin a little after a position that is only estimated.
        let range = state.item?.loadedTimeRanges.first { $0.start - 0.5 <= position && position <= $0.end }
        return range.map { max(0, $0.end - position) }
    }
}
