import Foundation

/// A sound file made for tests with the ffmpeg program: a stretch of one endless sine, half as loud as can be.
///
/// Sample n of it is 0.5·sin(2π·frequency·(start + n)/sampleRate) in all channels. Made once and kept under `.build/clips`.
public struct Tone: Sendable, Hashable {
    /// Hz.
    public var frequency = 440
    /// Samples a second.
    public var sampleRate = 48_000
    /// Channels.
    public var channelCount = 2
    /// Which sample of the endless sine it begins with.
    public var start = 0
    /// How many samples it has.
    public var sampleCount = 96_000
    /// ffmpeg's options for codec and container.
    public var options: [String]
    /// The file name's extension, which tells ffmpeg the container.
    public var fileExtension: String

    /// Two seconds of 440 Hz, in FLAC.
    public init(_ options: [String] = ["-c:a", "flac"], fileExtension: String = "flac") {
        self.options = options
        self.fileExtension = fileExtension
    }

    /// The same, another part of the sine.
    public func part(from start: Int, count: Int) -> Tone {
        var part = self
        part.start = start
        part.sampleCount = count
        return part
    }

    /// Sample `index` of the endless sine.
    public func sample(_ index: Int) -> Float {
        Float(0.5 * sin(2 * .pi * Double(frequency) * Double(index) / Double(sampleRate)))
    }

    /// Makes the file unless it is there already, and answers its path.
    public func path() throws -> String {
        let wave = "0.5*sin(2*PI*\(frequency)*(n+\(start))/\(sampleRate))"
        let waves = Array(repeating: wave, count: channelCount).joined(separator: "|")
        let source = "aevalsrc='\(waves)':s=\(sampleRate),atrim=end_sample=\(sampleCount)"
        return try made(["-v", "error", "-y", "-f", "lavfi", "-i", source] + options, fileExtension: fileExtension)
    }
}

/// How well samples are one sine: what a gap, a click or a sample too many shows in.
public struct SineFit: CustomStringConvertible {
    /// The largest difference from the sine that fits best as a whole.
    public let worst: Float
    /// Where it is, in samples.
    public let worstIndex: Int
    /// The amplitude.
    public let amplitude: Double
    /// The phase of the first sample, in samples of the period.
    public let offset: Double

    /// Fits a sine of a known frequency to the samples.
    public init(_ samples: some Collection<Float>, frequency: Double, sampleRate: Double = 48_000) {
        let samples = Array(samples)
        let step = 2 * Double.pi * frequency / sampleRate
        var (sine, cosine) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            sine += Double(sample) * sin(step * Double(index))
            cosine += Double(sample) * cos(step * Double(index))
        }
        let count = Double(max(1, samples.count))
        (sine, cosine) = (2 * sine / count, 2 * cosine / count)
        amplitude = (sine * sine + cosine * cosine).squareRoot()
        offset = atan2(cosine, sine) / step
        var worst: (difference: Double, index: Int) = (0, 0)
        for (index, sample) in samples.enumerated() {
            let exact = sine * sin(step * Double(index)) + cosine * cos(step * Double(index))
            let difference = abs(Double(sample) - exact)
            if difference > worst.difference { worst = (difference, index) }
        }
        self.worst = Float(worst.difference)
        worstIndex = worst.index
    }

    /// The figures, for failures.
    public var description: String { "worst \(worst) at \(worstIndex), amplitude \(amplitude)" }
}
