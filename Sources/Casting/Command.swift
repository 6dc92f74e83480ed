/// What a front end asks of playback. The same for every protocol and for the TV's own keys.
public enum Command: Hashable, Sendable {
    /// Replace the queue by this one item and play it (or show its first picture, if it says paused).
    case load(MediaItem)
    /// Play at the default rate.
    case play
    /// Play what is there, without waiting for more, at that rate or the default rate.
    case playImmediately(rate: Double?)
    /// Stand still, the picture staying.
    case pause
    /// Play when paused, pause when not.
    case togglePlayback
    /// Take the item away; the session stays, the screen goes idle.
    case stop
    /// Go to a position.
    case seek(SeekRequest)
    /// Go on or back by so many seconds from where playback is or is already going to.
    case skip(by: Double)
    /// Stand still, and show the picture so many pictures on, or back when negative; at an end, it stays.
    case step(by: Int)
    /// Change the rate now; 0 pauses. Allowed: 0, and 0.5 to 2.
    case setRate(Double)
    /// Change what `play` plays at (0.5 to 2), and the rate now if playing.
    case setDefaultRate(Double)
    /// Change how the session plays.
    case setOptions(PlaybackOptions)
    /// Lay pictures on the screen in the next of the ways there are.
    case nextVideoGravity
    /// Change how loud it is.
    case setVolume(VolumeChange)
    /// Change when and how subtitles show.
    case setSubtitles(SubtitleChange)
    /// Put items at the queue's end, or before the item of that id.
    case enqueue([MediaItem], before: String?)
    /// Take an item out of the queue.
    case dequeue(String)
    /// Take everything but the current item out of the queue.
    case clearQueue
    /// Have an item come from another URL from now on, its position staying.
    case renewSource(SourceRenewal)
    /// Go to the next item; at the last, to idle.
    case next
    /// Go to the item before; at the first, to its start.
    case previous
    /// Choose what is heard or read: of the audible or the legible tracks.
    case selectTrack(TrackSelection, of: MediaTrack.Kind)
    /// Go to the next of the audible or the legible tracks, after the last of the latter to none.
    case nextTrack(of: MediaTrack.Kind)
    /// Go to where the next chapter begins.
    case nextChapter
    /// Go to where the chapter begins, or the one before it where it has only just begun.
    case previousChapter
    /// End the session.
    case disconnect
}

/// Where to seek, and how exactly.
public struct SeekRequest: Codable, Hashable, Sendable {
    /// Seconds of item time.
    public var position: Double
    /// How much before `position` will do, in seconds; 0 (exact) where absent.
    public var toleranceBefore: Double?
    /// How much after `position` will do, in seconds; 0 (exact) where absent.
    public var toleranceAfter: Double?
    /// Whether it is one of many while somebody looks for a place: pictures near it are shown as quickly as they can be
    /// had, and once no further seek comes for a moment, the exact one. Not so where absent.
    public var scrubs: Bool?

    /// A seek to `position`, exact unless tolerances are given.
    public init(
        position: Double, toleranceBefore: Double? = nil, toleranceAfter: Double? = nil, scrubs: Bool? = nil
    ) {
        self.position = position
        self.toleranceBefore = toleranceBefore
        self.toleranceAfter = toleranceAfter
        self.scrubs = scrubs
    }
}

/// How a seek went. Given only once its picture is up, or once it is known that it never will be.
public struct SeekOutcome: Codable, Hashable, Sendable {
    /// Why a seek did not finish.
    public enum Reason: String, Codable, Sendable {
        /// A later seek took its place.
        case superseded
        /// The position is outside what can be reached.
        case outOfRange
        /// The item failed, ended or was replaced on the way.
        case cancelled
    }

    /// Whether the picture of the position is on the screen.
    public var finished: Bool
    /// Where playback is now, in seconds of item time.
    public var position: Double
    /// Why it did not finish; nil when it did.
    public var reason: Reason?
    /// Where one may seek, when `reason` is outOfRange.
    public var seekableTimeRanges: [TimeRange]?

    /// An outcome.
    public init(
        finished: Bool, position: Double, reason: Reason? = nil, seekableTimeRanges: [TimeRange]? = nil
    ) {
        self.finished = finished
        self.position = position
        self.reason = reason
        self.seekableTimeRanges = seekableTimeRanges
    }
}

/// A change of loudness.
public enum VolumeChange: Hashable, Sendable {
    /// To this volume, 0 to 1.
    case set(Double)
    /// Up or down by this much, ending within 0 to 1.
    case adjust(Double)
    /// Sound off or on, the volume staying.
    case mute(Bool)
    /// Off when on, on when off.
    case toggleMute
}

/// What a command came to.
public enum CommandOutcome: Hashable, Sendable {
    /// It has taken effect.
    case done
    /// A seek, skip or step has ended.
    case seek(SeekOutcome)
}
