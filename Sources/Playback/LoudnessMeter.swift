#if canImport(Glibc)
    internal import Glibc
#endif

/// How loud sound is, after ITU-R BS.1770: filtered as ears hear, in blocks of a tenth of a second, quiet ones left out.
struct LoudnessMeter: Sendable {
    /// Blocks below this, in LUFS, are pauses.
    static let gate = -50.0
    /// Seconds after which what was heard counts for less than half.
    static let memory = 20.0

    private let channelCount: Int
    private let weights: [Double]
    private let blockFrames: Int
    private let retention: Double
    private var shelves: [Biquad]
    private var passes: [Biquad]
    private var sum = 0.0
    private var frames = 0
    private var energy = 0.0
    private var weight = 0.0

    /// A meter that has heard nothing.
    init(sampleRate: Double, channelCount: Int) {
        self.channelCount = channelCount
        // The fourth channel is the one for low frequencies; those behind count for more.
        weights = (0..<channelCount).map { channelCount > 3 && $0 >= 3 ? ($0 == 3 ? 0 : 1.41) : 1 }
        blockFrames = max(1, Int(sampleRate / 10))
        retention = pow(0.5, 0.1 / Self.memory)
        shelves = Array(repeating: .shelf(sampleRate), count: channelCount)
        passes = Array(repeating: .highPass(sampleRate), count: channelCount)
    }

    /// The loudness in LUFS of what was heard of late; nil before there was anything but silence.
    var loudness: Double? { weight > 0 ? -0.691 + 10 * log10(energy / weight) : nil }

    /// Takes in interleaved samples; whole frames.
    mutating func add(_ samples: [Float]) {
        for frame in 0..<samples.count / channelCount {
            for channel in 0..<channelCount where weights[channel] > 0 {
                let shelved = shelves[channel].next(Double(samples[frame * channelCount + channel]))
                let heard = passes[channel].next(shelved)
                sum += weights[channel] * heard * heard
            }
            frames += 1
            if frames == blockFrames { endBlock() }
        }
    }

    private mutating func endBlock() {
        let mean = sum / Double(frames)
        (sum, frames) = (0, 0)
        guard mean > 0, -0.691 + 10 * log10(mean) > Self.gate else { return }
        energy = energy * retention + mean
        weight = weight * retention + 1
    }
}

/// A filter of second order.
private struct Biquad: Sendable {
    var (b0, b1, b2, a1, a2) = (1.0, 0.0, 0.0, 0.0, 0.0)
    private var (z1, z2) = (0.0, 0.0)

    mutating func next(_ input: Double) -> Double {
        let output = b0 * input + z1
        z1 = b1 * input - a1 * output + z2
        z2 = b2 * input - a2 * output
        return output
    }

    /// What the head does to sound: 4 dB more above 1.7 kHz.
    static func shelf(_ sampleRate: Double) -> Biquad {
        let (k, q) = (tan(.pi * 1681.974450955533 / sampleRate), 0.7071752369554196)
        let high = pow(10, 3.999843853973347 / 20)
        let band = pow(high, 0.4996667741545416)
        let norm = 1 + k / q + k * k
        var filter = Biquad()
        filter.b0 = (high + band * k / q + k * k) / norm
        filter.b1 = 2 * (k * k - high) / norm
        filter.b2 = (high - band * k / q + k * k) / norm
        filter.a1 = 2 * (k * k - 1) / norm
        filter.a2 = (1 - k / q + k * k) / norm
        return filter
    }

    /// What is too low to be heard as loud.
    static func highPass(_ sampleRate: Double) -> Biquad {
        let (k, q) = (tan(.pi * 38.13547087602444 / sampleRate), 0.5003270373238773)
        let norm = 1 + k / q + k * k
        var filter = Biquad()
        (filter.b0, filter.b1, filter.b2) = (1, -2, 1)
        filter.a1 = 2 * (k * k - 1) / norm
        filter.a2 = (1 - k / q + k * k) / norm
        return filter
    }
}
