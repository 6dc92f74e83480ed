import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct SpeedChangerTests {
    private static let pitch = 440.0

    /// A stretch of an endless sine, in both channels.
    private func chunk(_ start: Int, _ count: Int) -> AudioChunk {
        let samples = (start..<start + count).flatMap { index in
            [Float](repeating: Float(0.5 * sin(2 * .pi * Self.pitch * Double(index) / 48_000)), count: 2)
        }
        return AudioChunk(samples: samples, channelCount: 2, sampleRate: 48_000, time: Double(start) / 48_000)
    }

    /// What becomes of `seconds` of it, and where each piece is.
    private func play(_ changer: SpeedChanger, from start: Int = 0, seconds: Double) throws -> [AudioChunk] {
        let end = start + Int(seconds * 48_000)
        return try stride(from: start, to: end, by: 1024).compactMap { place in
            try changer.process(chunk(place, min(1024, end - place)))
        }
    }

    private func left(_ chunks: [AudioChunk]) -> [Float] {
        chunks.flatMap { chunk in stride(from: 0, to: chunk.samples.count, by: 2).map { chunk.samples[$0] } }
    }

    /// The largest step from sample to sample, as a multiple of the sine's own.
    private func roughness(_ samples: [Float]) -> Float {
        let largest = zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
        return largest / Float(2 * .pi * Self.pitch / 48_000 * 0.5)
    }

    /// The frequency by counting how often the wave rises through 0.
    private func pitch(_ samples: [Float]) -> Double {
        let middle = samples[(samples.count / 8)..<(samples.count * 7 / 8)]
        let rises = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
        return Double(rises) * 48_000 / Double(middle.count)
    }

    @Test("another rate keeps the pitch and the loudness and tells item time", arguments: [0.5, 0.75, 1.5, 2.0])
    func rate(_ rate: Double) throws {
        let changer = SpeedChanger(sampleRate: 48_000, channelCount: 2, rate: rate)
        var chunks = try play(changer, seconds: 1)
        if let rest = try changer.drain() { chunks.append(rest) }
        let samples = left(chunks)
        #expect(abs(Double(samples.count) / 48_000 - 1 / rate) < 0.04)
        #expect(abs(try #require(chunks.last).endTime - 1) < 0.03)
        #expect(abs(pitch(samples) - Self.pitch) < 3)
        #expect(roughness(samples) < 1.5)
    }

    @Test("at rate 1 the samples are passed on as they are")
    func identity() throws {
        let changer = SpeedChanger(sampleRate: 48_000, channelCount: 2)
        let chunks = try play(changer, seconds: 0.1)
        #expect(chunks.flatMap(\.samples) == chunk(0, 4800).samples)
        #expect(try changer.drain() == nil)
    }

    @Test(
        "a change makes anew what was made ahead, goes on at the same item time and does not click",
        arguments: [(1.0, 2.0), (1, 0.5), (1.5, 1), (2, 0.75), (0.5, 1)])
    func change(_ from: Double, _ to: Double) throws {
        let changer = SpeedChanger(sampleRate: 48_000, channelCount: 2, rate: from)
        let before = try play(changer, seconds: 1)
        // The last 0.3 s made have not been heard.
        let made = left(before)
        let heard = made.count - Int(0.3 * 48_000)
        let time = try #require(before.first).time + Double(heard) / 48_000 * from
        let old = before.flatMap(\.samples)[(heard * 2)..<(heard * 2 + 480)]
        let again = try #require(try changer.change(to: to, from: time, over: Array(old)))
        #expect(abs(again.time - time) <= SpeedChanger.reach + 0.000_1)
        #expect(again.rate == to)
        var after = [again] + (try play(changer, from: 48_000, seconds: 0.5))
        if let rest = try changer.drain() { after.append(rest) }
        for (earlier, later) in zip(after, after.dropFirst()) { #expect(abs(later.time - earlier.endTime) < 1e-6) }
        #expect(abs(try #require(after.last).endTime - 1.5) < 0.05)
        let all = made[..<heard] + left(after)
        #expect(roughness(Array(all)) < 1.5)
        // Nor does it get quieter at the seam: both waves lie on each other there.
        let seam = all[(heard - 110)..<(heard + 330)]
        #expect((seam.max() ?? 0) > 0.42)
    }

    @Test("back at rate 1 the samples are again what they were, to the sample")
    func exact() throws {
        let changer = SpeedChanger(sampleRate: 48_000, channelCount: 2, rate: 1.25)
        _ = try play(changer, seconds: 1)
        let again = try #require(try changer.change(to: 1, from: 0.6, over: []))
        let start = Int((again.time * 48_000).rounded())
        #expect(start == 28_800)
        #expect(again.samples == chunk(start, 48_000 - start).samples)
    }

    @Test("a change after the end makes the end anew")
    func afterEnd() throws {
        let changer = SpeedChanger(sampleRate: 48_000, channelCount: 2)
        _ = try play(changer, seconds: 1)
        _ = try changer.drain()
        let again = try #require(try changer.change(to: 2, from: 0.8, over: []))
        #expect(abs(Double(again.frameCount) / 48_000 - 0.1) < 0.02)
        #expect(abs(again.endTime - 1) < 0.04)
    }

    @Test("no more than about a second is kept, however long it plays")
    func memory() throws {
        let changer = SpeedChanger(sampleRate: 48_000, channelCount: 2)
        _ = try play(changer, seconds: 5)
        let all = try #require(try changer.change(to: 1, from: 0, over: []))
        #expect(all.time > 5 - SpeedChanger.memory - 0.1)
    }
}
