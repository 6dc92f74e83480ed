internal import Media

#if canImport(Glibc)
    internal import Glibc
#endif

/// Makes all items about as loud as each other: what a MediaItem's `normalizesLoudness` asks for.
///
/// Where the media's tags say how loud it is, one fixed gain does it, and nothing of the sound's own life is lost. Where
/// they do not, the loudness is measured while it plays, as EBU R 128 does it, and a gain glides after it: slowly, so that
/// quiet scenes stay quiet. That takes one pass and no look ahead. libavfilter's `loudnorm` would hold three seconds back
/// and `dynaudnorm` fifteen, which every start, seek and change of the rate would have to wait for.
struct Leveller: Sendable {
    /// The loudness aimed at, in LUFS: that of ReplayGain's tags.
    static let target = -18.0
    /// The most that is added and taken away without tags, in dB.
    static let range = -18.0...9.0
    /// How fast the gain glides, in dB a second: at first, and later.
    static let (earlySpeed, speed) = (6.0, 0.7)
    /// Seconds of sound after which it is later.
    static let early = 3.0

    private var meter: LoudnessMeter?
    private let channelCount: Int
    private let sampleRate: Double
    /// In dB.
    private var gain = 0.0
    private var lastFactor: Float
    private var heard = 0.0

    /// A leveller by tags, or by measuring where they are nil.
    init(tag: LoudnessTag?, sampleRate: Int, channelCount: Int) {
        self.channelCount = channelCount
        self.sampleRate = Double(sampleRate)
        if let tag {
            gain = 20 * log10(tag.factor)
        } else {
            meter = LoudnessMeter(sampleRate: Double(sampleRate), channelCount: channelCount)
        }
        lastFactor = Float(pow(10, gain / 20))
    }

    /// Changes interleaved samples; whole frames.
    mutating func process(_ samples: inout [Float]) {
        let frames = samples.count / channelCount
        guard frames > 0 else { return }
        adjust(samples, seconds: Double(frames) / sampleRate)
        let factor = Float(pow(10, gain / 20))
        let step = (factor - lastFactor) / Float(frames)
        for frame in 0..<frames {
            let present = lastFactor + step * Float(frame + 1)
            for index in frame * channelCount..<(frame + 1) * channelCount {
                samples[index] = Self.limited(samples[index] * present)
            }
        }
        lastFactor = factor
    }

    private mutating func adjust(_ samples: [Float], seconds: Double) {
        guard meter != nil else { return }
        meter?.add(samples)
        guard let loudness = meter?.loudness else { return }
        heard += seconds
        let wanted = min(max(Self.target - loudness, Self.range.lowerBound), Self.range.upperBound)
        let most = (heard < Self.early ? Self.earlySpeed : Self.speed) * seconds
        gain += min(max(wanted - gain, -most), most)
    }

    /// Bends what would go over full scale, so that it is not cut off.
    static func limited(_ sample: Float) -> Float {
        let knee: Float = 0.8
        guard abs(sample) > knee else { return sample }
        let bent = knee + (1 - knee) * tanh((abs(sample) - knee) / (1 - knee))
        return sample < 0 ? -bent : bent
    }
}
