public import Casting

/// Turns decoded sound of any format into what the device takes, at a rate of one's choice with the pitch kept.
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
    private var tempo: TempoGraph?
    /// Item time of the next sample out of the resampler.
    private var resampledTime: Double?
    /// Item time of the next sample out of `tempo`.
    private var changedTime = 0.0
    private var wantedRate = 1.0

    /// A converter to interleaved floats.
    public init(sampleRate: Int, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Seconds of item time a second, 0.5 to 2; values outside are clamped.
    ///
    /// A change is heard from the next samples on, without a click.
    public var rate: Double {
        get { wantedRate }
        set { wantedRate = min(max(newValue, PlaybackState.rates.lowerBound), PlaybackState.rates.upperBound) }
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
        return try finish(samples, at: isGap ? stated : expected, afterGap: isGap)
    }

    /// What is still inside, after the last frame.
    public func drain() throws(CastError) -> AudioChunk? {
        guard let resampledTime else { return nil }
        let samples = try resampler?.convert(nil) ?? []
        resampler = nil
        guard let tempo else { return try finish(samples, at: resampledTime, afterGap: false) }
        let rest = try tempo.process(samples) + tempo.drain()
        self.tempo = nil
        return trimmed(
            AudioChunk(
                samples: rest, channelCount: channelCount, sampleRate: sampleRate, time: changedTime, rate: tempo.tempo)
        )
    }

    /// Forgets what it holds, for frames from another place.
    public func reset() {
        resampler = nil
        tempo = nil
        resampledTime = nil
    }

    private func resampler(for frame: AudioFrame) throws(CastError) -> Resampler {
        if let resampler { return resampler }
        let new = try Resampler(for: frame, sampleRate: sampleRate, channelCount: channelCount)
        resampler = new
        return new
    }

    private func seconds(_ samples: [Float]) -> Double { Double(samples.count / channelCount) / Double(sampleRate) }

    private func finish(_ samples: [Float], at time: Double, afterGap: Bool) throws(CastError) -> AudioChunk? {
        resampledTime = time + seconds(samples)
        if afterGap { tempo = nil }
        if tempo == nil {
            guard wantedRate != 1 else {
                return trimmed(
                    AudioChunk(samples: samples, channelCount: channelCount, sampleRate: sampleRate, time: time))
            }
            tempo = try TempoGraph(sampleRate: sampleRate, channelCount: channelCount, tempo: wantedRate)
            changedTime = time
        }
        guard let tempo else { return nil }
        // Once in use it stays in use, until a seek, also at rate 1: leaving it would click.
        if tempo.tempo != wantedRate { try tempo.change(to: wantedRate) }
        let changed = AudioChunk(
            samples: try tempo.process(samples), channelCount: channelCount, sampleRate: sampleRate, time: changedTime,
            rate: tempo.tempo)
        changedTime = changed.endTime
        return trimmed(changed)
    }

    private func trimmed(_ chunk: AudioChunk) -> AudioChunk? {
        var chunk = chunk
        if let startTime { chunk.trim(before: startTime) }
        return chunk.samples.isEmpty ? nil : chunk
    }
}
