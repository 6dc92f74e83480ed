#if canImport(Glibc)
    internal import Glibc
#endif

/// How much louder or quieter sound is to be played, by the word of the media's own tags, to be as loud as other sound.
public struct LoudnessTag: Equatable, Sendable {
    /// What to change the level by in dB, to come to −18 LUFS, which is ReplayGain's loudness.
    public var gain: Double
    /// The largest sample, 1 for full scale; nil where not known.
    public var peak: Double?

    /// A gain in dB, and the largest sample.
    public init(gain: Double, peak: Double? = nil) {
        self.gain = gain
        self.peak = peak
    }

    /// Reads ReplayGain's tags of a track, or those of EBU R 128 that Opus files have; nil where there are none.
    /// - Parameter tag: the text of a tag; nil where there is none.
    init?(_ tag: (String) -> String?) {
        if let text = tag("REPLAYGAIN_TRACK_GAIN"), let gain = Self.number(text) {
            self.gain = gain
            peak = tag("REPLAYGAIN_TRACK_PEAK").flatMap(Self.number)
        } else if let text = tag("R128_TRACK_GAIN"), let steps = Self.number(text) {
            // In 256ths of a dB, to −23 LUFS.
            gain = steps / 256 + 5
        } else {
            return nil
        }
        guard (-60...60).contains(gain) else { return nil }
        if let peak, !(0.000_01...100).contains(peak) { self.peak = nil }
    }

    /// The number that a text begins with, such as “-7.03 dB”.
    private static func number(_ text: String) -> Double? {
        text.split(separator: " ").first.flatMap { Double($0) }
    }

    /// What samples are to be multiplied by; never so much that the largest would be cut off.
    public var factor: Double {
        let factor = pow(10, gain / 20)
        return peak.map { min(factor, 1 / $0) } ?? factor
    }
}
