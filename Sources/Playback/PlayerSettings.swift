public import Casting
internal import Media

/// What a player may be told once, when it is made.
public struct PlayerSettings: Sendable {
    /// How far to read ahead of what is being played, in seconds.
    public var bufferSeconds = 30.0
    /// How much of that to hold, in bytes, whatever the seconds.
    public var bufferBytes = 128 << 20
    /// How much to keep of what has been played, in bytes, for going back.
    public var bufferBytesBehind = 32 << 20
    /// How much to keep of the bytes that packets are made of, beside the packets: for coming back to a place that was
    /// read before a jump, and for a container's index.
    public var cacheBytes = 32 << 20
    /// Seconds that a fresh URL is waited for when an item's has stopped being valid.
    public var renewalTimeout = 15.0
    /// Seconds that a server which has gone is waited for once all that was loaded has been played.
    public var sourceGrace = 30.0
    /// Seconds within which an item must be ready to play.
    public var loadTimeout = 12.0
    /// Whether a chip may decode pictures, where there is one that can.
    public var usesHardware = true
    /// The volume to begin with, 0 to 1.
    public var volume = 1.0
    /// Seconds by which sound is to come later than the device's own figure says; negative for earlier.
    public var audioDelay = 0.0

    /// How much of an item that plays is read ahead.
    var bufferLimits: PacketBuffer<Packet>.Limits {
        .init(bytes: bufferBytes, seconds: bufferSeconds, bytesBehind: bufferBytesBehind)
    }

    /// What people wish of sound and subtitles.
    public var tracks = TrackPreferences()

    /// How subtitles show.
    public var subtitles = SubtitleSettings()

    /// Settings that suit a TV.
    public init() {}
}
