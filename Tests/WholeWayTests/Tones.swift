import Foundation

/// The 1 kHz tones in a raw sound file: 32-bit float, two channels, 48,000 samples a second.
struct Tones {
    /// The sample at which each tone begins, counted from the file's start.
    let starts: [Int]
    /// The pitch of the first tone in Hz, by its zero crossings.
    let frequency: Double
    /// The largest amplitude.
    let loudest: Float
    /// How many samples there are, at two values each.
    let sampleCount: Int

    /// Reads a file whose tones are `toneLength` seconds long.
    init(file: String, toneLength: Double = 0.1) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let left = data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count / 8 * 8, by: 8).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: Float.self)
            }
        }
        sampleCount = left.count
        var loudest: Float = 0
        var starts: [Int] = []
        var lastLoud = -48_000
        for (index, sample) in left.enumerated() {
            loudest = max(loudest, abs(sample))
            guard abs(sample) > 0.1 else { continue }
            // A tone's own zero crossings are 24 samples apart; a real gap is 0.4 s or more.
            if index - lastLoud > 4_800 { starts.append(index) }
            lastLoud = index
        }
        self.starts = starts
        self.loudest = loudest
        let length = Int(toneLength * 48_000)
        guard let first = starts.first, first + length < left.count else {
            frequency = 0
            return
        }
        let tone = left[(first + length / 10)..<(first + length * 8 / 10)]
        let rises = zip(tone, tone.dropFirst()).count { $0 < 0 && $1 >= 0 }
        frequency = Double(rises) / Double(tone.count) * 48_000
    }
}
