import Casting
import Foundation
import Media
import TestSupport
import Testing

@testable import Playback

@Suite struct LoudnessTests {
    private func sine(_ amplitude: Double, seconds: Double, channels: Int = 2, frequency: Double = 997) -> [Float] {
        (0..<Int(seconds * 48_000)).flatMap { index in
            [Float](
                repeating: Float(amplitude * sin(2 * .pi * frequency * Double(index) / 48_000)), count: channels)
        }
    }

    private func level(_ samples: [Float]) -> Double {
        let mean = samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
        return 10 * log10(mean * 2)
    }

    /// What a leveller makes of samples, in pieces as decoders give them.
    private func levelled(_ samples: [Float], by tag: LoudnessTag? = nil) -> [Float] {
        var leveller = Leveller(tag: tag, sampleRate: 48_000, channelCount: 2)
        return stride(from: 0, to: samples.count, by: 2048).flatMap { start in
            var piece = Array(samples[start..<min(samples.count, start + 2048)])
            leveller.process(&piece)
            return piece
        }
    }

    @Test func `half the volume is ten decibels less, which sounds half as loud`() {
        #expect(VolumeCurve.gain(1) == 1)
        #expect(VolumeCurve.gain(0) == 0)
        #expect(abs(20 * log10(Double(VolumeCurve.gain(0.5))) + 10.03) < 0.01)
        #expect(abs(VolumeCurve.gain(0.25) - VolumeCurve.gain(0.5) * VolumeCurve.gain(0.5)) < 0.000_1)
        #expect(VolumeCurve.gain(-1) == 0)
        #expect(VolumeCurve.gain(7) == 1)
    }

    @Test func `loudness is measured as the recommendation says: a full-scale 997 Hz tone in one channel is -3.01`() {
        var mono = LoudnessMeter(sampleRate: 48_000, channelCount: 1)
        #expect(mono.loudness == nil)
        mono.add(sine(1, seconds: 3, channels: 1))
        #expect(abs(try! #require(mono.loudness) + 3.01) < 0.1)
        var stereo = LoudnessMeter(sampleRate: 48_000, channelCount: 2)
        stereo.add(sine(0.1, seconds: 3))
        #expect(abs(try! #require(stereo.loudness) + 20) < 0.1)
        // Silence says nothing.
        stereo.add([Float](repeating: 0, count: 96_000 * 10))
        #expect(abs(try! #require(stereo.loudness) + 20) < 0.2)
    }

    @Test("loud and quiet sound end up alike, without a jump", arguments: [0.03, 0.06, 0.5, 0.9])
    func alike(_ amplitude: Double) throws {
        let result = levelled(sine(amplitude, seconds: 12))
        var meter = LoudnessMeter(sampleRate: 48_000, channelCount: 2)
        meter.add(Array(result.suffix(96_000)))
        let loudness = try #require(meter.loudness)
        let most = 20 * log10(amplitude) + Leveller.range.upperBound
        #expect(abs(loudness - min(Leveller.target, most)) < 1.2, "\(loudness)")
        let left = stride(from: 0, to: result.count, by: 2).map { result[$0] }
        let steps = zip(left, left.dropFirst()).map { abs($0 - $1) }
        let own = 2 * Double.pi * 997 / 48_000 * amplitude
        #expect(Double(steps.max() ?? 1) < own * 1.05 + 0.01)
    }

    @Test func `a tag is believed from the first sample on, and its peak keeps it from being cut off`() {
        let samples = sine(0.25, seconds: 1)
        #expect(abs(level(levelled(samples, by: LoudnessTag(gain: 6))) - level(samples) - 6) < 0.01)
        #expect(abs(level(levelled(samples, by: LoudnessTag(gain: -6))) - level(samples) + 6) < 0.01)
        let careful = LoudnessTag(gain: 20, peak: 0.5)
        #expect(careful.factor == 2)
    }

    @Test func `nothing is louder than full scale, however wrong a tag is`() {
        let result = levelled(sine(0.9, seconds: 0.5), by: LoudnessTag(gain: 30))
        #expect((result.map(abs).max() ?? 2) <= 1)
        #expect(Leveller.limited(0.5) == 0.5)
        #expect(Leveller.limited(-3) < -0.99)
    }

    @Test func `an item is levelled only where that is asked for`() async throws {
        var tone = Tone(["-c:a", "flac", "-metadata", "REPLAYGAIN_TRACK_GAIN=-6.02 dB"])
        tone.sampleCount = 48_000
        let server = try ClipServer(path: tone.path())
        let levels = try await [nil, true].asyncMap { (wish: Bool?) in
            let rig = Rig()
            var item = MediaItem(url: server.url)
            item.normalizesLoudness = wish
            _ = try await rig.player.perform(.load(item))
            try await rig.idle()
            return rig.speaker.pulled.map(abs).max() ?? 0
        }
        #expect(abs(levels[0] - 0.5) < 0.001)
        #expect(abs(levels[1] - 0.25) < 0.001)
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
