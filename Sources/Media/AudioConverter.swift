public import Casting

/// Turns decoded sound of any format into what the device takes, at a rate of one's choice with the pitch kept.
///
/// Used by one thread at a time.
public final class AudioConverter {
    /// Seconds of item time a second, 0.5 to 2. A change is heard from the next samples on, without a click.
    public var rate: Double = 1
    /// Item time before which samples are left out, for exact seeks.
    public var startTime: Double?

    /// A converter to interleaved floats.
    public init(sampleRate: Int, channelCount: Int) {}

    /// Converts one frame.
    ///
    /// - Returns: what came out, often of earlier frames as well; nil when nothing did.
    public func convert(_ frame: AudioFrame) throws(CastError) -> AudioChunk? { nil }

    /// What is still inside, after the last frame.
    public func drain() throws(CastError) -> AudioChunk? { nil }

    /// Forgets what it holds, for frames from another place.
    public func reset() {}
}
