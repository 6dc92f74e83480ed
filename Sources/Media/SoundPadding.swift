/// What encoders put before and after the sound itself, as far as libavformat does not leave it out by itself.
///
/// Codecs work in frames of a fixed length, so the last frame is filled up. Ogg, MP3 and Matroska say so in a way that
/// libavcodec acts on. MP4 has it in the last packet's duration, iTunes in a tag.
struct SoundPadding: Equatable, Sendable {
    /// Samples to be left out at the start, and the number of samples after those; from iTunes's tag.
    struct Tag: Equatable, Sendable {
        var priming: Int
        var sampleCount: Int

        /// Reads the text of `iTunSMPB`: hexadecimal words, of which the second is the priming, the third the samples
        /// to leave out at the end and the fourth the length.
        init?(_ text: String) {
            let words = text.split(separator: " ")
            guard words.count >= 4, let priming = Int(words[1], radix: 16), let count = Int(words[3], radix: 16),
                (0..<16_384).contains(priming), count > 0
            else { return nil }
            self.priming = priming
            sampleCount = count
        }
    }

    /// How many samples there are by the media's word; nil where it says nothing.
    var sampleCount: Int?
    /// Whether a last packet that is shorter than what is in it has been filled up.
    var trustsLastPacket = false

    /// How many samples of a frame are sound.
    ///
    /// - Parameters:
    ///   - count: samples in it.
    ///   - time: where it is in the stream, in seconds.
    ///   - sampleRate: samples a second.
    ///   - packetDuration: seconds its packet lasts by the container's word.
    ///   - isLast: whether no frame follows.
    func kept(of count: Int, at time: Double, sampleRate: Int, packetDuration: Double?, isLast: Bool) -> Int {
        var kept = count
        if let sampleCount {
            kept = min(kept, max(0, sampleCount - Int((time * Double(sampleRate)).rounded())))
        } else if isLast, trustsLastPacket, let packetDuration, packetDuration > 0 {
            kept = min(kept, Int((packetDuration * Double(sampleRate)).rounded()))
        }
        return kept
    }
}
