import Foundation

/// Which of some tones sounds where in a recording.
public enum Pitch {
    /// For each stretch the tone that is loudest in it; nil for silence.
    ///
    /// - Parameters:
    ///   - samples: one channel.
    ///   - stretch: how long a stretch is, in samples.
    public static func heard(_ samples: [Float], of tones: [Double], sampleRate: Int, stretch: Int) -> [Double?] {
        stride(from: 0, to: samples.count - stretch + 1, by: stretch).map { start in
            let part = samples[start..<start + stretch]
            let powers = tones.map { power(of: $0 / Double(sampleRate), in: part) }
            guard let most = powers.max(), most > 0.000_5 else { return nil }
            return powers.firstIndex(of: most).map { tones[$0] }
        }
    }

    /// The power of a frequency, in cycles a sample (Goertzel's way).
    private static func power(of frequency: Double, in samples: ArraySlice<Float>) -> Double {
        let turn = 2 * cosine(of: frequency)
        var (one, two) = (0.0, 0.0)
        for sample in samples { (one, two) = (Double(sample) + turn * one - two, one) }
        let count = Double(samples.count)
        return (one * one + two * two - turn * one * two) / (count * count / 4)
    }

    private static func cosine(of cycles: Double) -> Double { cos(2 * Double.pi * cycles) }
}
