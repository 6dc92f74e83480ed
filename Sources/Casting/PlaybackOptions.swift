/// What becomes of playback when an item has been played to its end, after AVPlayer.ActionAtItemEnd.
public enum ItemEndAction: String, Codable, CaseIterable, Sendable {
    /// The next item of the queue plays; after the last one the receiver is idle.
    case advance
    /// The item stays, its last picture up, and the rate is 0. Playing again begins at its start.
    case pause
    /// The item and the rate stay, and the position counts on past the end.
    case none
}

/// What is played again by itself. Goes before what `ItemEndAction` says.
public enum LoopMode: String, Codable, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// The current item.
    case one
    /// The whole queue.
    case all
}

/// How a session plays, whatever it plays. As a request: only what is there changes; as part of a state: all of it.
public struct PlaybackOptions: Codable, Hashable, Sendable {
    /// What becomes of playback at an item's end; `advance` at first.
    public var actionAtItemEnd: ItemEndAction?
    /// What is played again by itself; `none` at first.
    public var loop: LoopMode?
    /// Whether playback waits, before it starts and after it ran dry, for as much as it takes to reach the end without
    /// running dry, and goes on by itself; true at first. Otherwise it starts with whatever is there, and running dry sets
    /// the rate to 0.
    public var automaticallyWaitsToMinimizeStalling: Bool?
    /// Seconds to read ahead, from the next item on; 0 (at first) for the receiver's own choice.
    public var preferredForwardBufferDuration: Double?
    /// How pictures of another shape than the screen's are laid on it; `resizeAspect` at first.
    public var videoGravity: VideoGravity?

    /// Changes to some options.
    public init(
        actionAtItemEnd: ItemEndAction? = nil, loop: LoopMode? = nil,
        automaticallyWaitsToMinimizeStalling: Bool? = nil, preferredForwardBufferDuration: Double? = nil,
        videoGravity: VideoGravity? = nil
    ) {
        self.actionAtItemEnd = actionAtItemEnd
        self.loop = loop
        self.automaticallyWaitsToMinimizeStalling = automaticallyWaitsToMinimizeStalling
        self.preferredForwardBufferDuration = preferredForwardBufferDuration
        self.videoGravity = videoGravity
    }

    /// What a session begins with.
    public static let standard = PlaybackOptions(
        actionAtItemEnd: .advance, loop: LoopMode.none, automaticallyWaitsToMinimizeStalling: true,
        preferredForwardBufferDuration: 0, videoGravity: .resizeAspect)

    /// These options with what is there in `changes`.
    public func changed(by changes: PlaybackOptions) -> PlaybackOptions {
        PlaybackOptions(
            actionAtItemEnd: changes.actionAtItemEnd ?? actionAtItemEnd, loop: changes.loop ?? loop,
            automaticallyWaitsToMinimizeStalling: changes.automaticallyWaitsToMinimizeStalling
                ?? automaticallyWaitsToMinimizeStalling,
            preferredForwardBufferDuration: changes.preferredForwardBufferDuration ?? preferredForwardBufferDuration,
            videoGravity: changes.videoGravity ?? videoGravity)
    }
}

/// The body of `POST …/play`, which may be left out.
public struct PlayRequest: Codable, Hashable, Sendable {
    /// The rate to play at, 0.5 to 2; the default rate where absent.
    public var rate: Double?
    /// Whether to play what is there without waiting for more.
    public var immediately: Bool?

    /// A wish to play.
    public init(rate: Double? = nil, immediately: Bool? = nil) {
        self.rate = rate
        self.immediately = immediately
    }
}
