public import Casting

/// Turns decoded sound of any format into what the device takes.
///
/// Used by one thread at a time.
public final class AudioConverter {
    /// How far the media's times may be off the count of samples, in seconds, before they are believed. Containers round.
    static let jitter = 0.005

    /// Item time before which samples are left out, for exact seeks. Stays until changed.
    public var startTime: Double?

    private let sampleRate: Int
    private let channelCount: Int
    private var resampler: Resampler?
    /// Item time of the next sample out of the resampler.
    private var resampledTime: Double?

    /// A converter to interleaved floats.
    public init(sampleRate: Int, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Converts one frame.
    ///
    /// - Returns: what came out, often of earlier frames as well; nil when nothing did. Where the media leaves a gap, the
    ///   chunk's time is later than the end of the one before.
    public func convert(_ frame: AudioFrame) throws(CastError) -> AudioChunk? {
        var samples: [Float] = []
        if let old = resampler, old.input != Resampler.Input(frame) {
            samples = try old.convert(nil)
            resampler = nil
        }
        let resampler = try resampler(for: frame)
        // The time by the media's word, of the first sample to come out.
        let stated = frame.presentationTime - resampler.delay - seconds(samples)
        let expected = resampledTime ?? stated
        samples += try resampler.convert(frame)
        let isGap = abs(stated - expected) > Self.jitter
        return finish(samples, at: isGap ? stated : expected)
    }

    /// What is still inside, after the last frame.
    public func drain() throws(CastError) -> AudioChunk? {
        guard let resampledTime else { return nil }
        let samples = try resampler?.convert(nil) ?? []
        resampler = nil
        return finish(samples, at: resampledTime)
    }

    /// Forgets what it holds, for frames from another place.
    public func reset() {
        resampler = nil
        resampledTime = nil
    }

    private func resampler(for frame: AudioFrame) throws(CastError) -> Resampler {
        if let resampler { return resampler }
        let new = try Resampler(for: frame, sampleRate: sampleRate, channelCount: channelCount)
        resampler = new
        return new
    }

    private func seconds(_ samples: [Float]) -> Double { Double(samples.count / channelCount) / Double(sampleRate) }

    private func finish(_ samples: [Float], at time: Double) -> AudioChunk? {
        var chunk = AudioChunk(samples: samples, channelCount: channelCount, sampleRate: sampleRate, time: time)
        resampledTime = chunk.endTime
        if let startTime { chunk.trim(before: startTime) }
        return chunk.samples.isEmpty ? nil : chunk
    }
}
