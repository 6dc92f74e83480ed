import CFFmpeg

/// Decoded sound, in the codec's own format.
public final class AudioFrame: Sendable {
    /// Item time of the first sample, in seconds.
    public let presentationTime: Double
    /// Samples a second of each channel.
    public let sampleRate: Int
    /// Channels.
    public let channelCount: Int
    /// Samples of each channel.
    public let sampleCount: Int
    /// What libavcodec gave; it may hold more samples than count.
    let object: CObject<UnsafeMutablePointer<AVFrame>>

    /// Seconds that it lasts.
    public var duration: Double { Double(sampleCount) / Double(sampleRate) }

    init(_ object: CObject<UnsafeMutablePointer<AVFrame>>, presentationTime: Double) {
        self.object = object
        self.presentationTime = presentationTime
        sampleRate = max(1, Int(object.pointer.pointee.sample_rate))
        channelCount = Int(object.pointer.pointee.ch_layout.nb_channels)
        sampleCount = Int(object.pointer.pointee.nb_samples)
    }

    private init(_ other: AudioFrame, sampleCount: Int) {
        object = other.object
        presentationTime = other.presentationTime
        sampleRate = other.sampleRate
        channelCount = other.channelCount
        self.sampleCount = sampleCount
    }

    /// The same without the samples after the first `count`.
    func shortened(to count: Int) -> AudioFrame {
        count < sampleCount ? AudioFrame(self, sampleCount: count) : self
    }
}
