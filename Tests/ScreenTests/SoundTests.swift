import Foundation
import TestSupport
import Testing

@Suite("Sound")
struct SoundTests {
    @Test("What goes into the ring arrives in the device, sample by sample")
    func exactSamples() throws {
        let probe = try Probe(
            "show", "tone", "0.5",
            environment: ["SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": "@/sound"])
        let line = try #require(probe.lines.first { $0.hasPrefix("tone:") })
        let figures = line.split { " ,".contains($0) }.compactMap { Int($0) }
        let (frames, rate, channels) = (figures[0], figures[1], figures[2])
        let data = try Data(contentsOf: URL(fileURLWithPath: probe.folder.path + "/sound"))
        let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let first = try #require(samples.firstIndex { $0 != 0 })
        #expect(first % channels == 0)
        #expect(samples.count >= first + frames * channels)
        for index in 0..<frames {
            let exact = Float(0.5 * sin(2 * Double.pi * 440 * Double(index + 1) / Double(rate)))
            guard samples[first + index * channels] == exact else {
                Issue.record("sample \(index) is \(samples[first + index * channels]), not \(exact)")
                return
            }
            if channels > 1 { #expect(samples[first + index * channels + 1] == -exact) }
        }
        #expect(samples.dropFirst(first + frames * channels).allSatisfy { $0 == 0 }, "silence after the end")
    }

    @Test("A sound system that is not there is told in words")
    func unavailable() throws {
        let probe = try Probe("show", "tone", "0.1", environment: ["SDL_AUDIODRIVER": "nonsense"])
        #expect(probe.lines.contains { $0.hasPrefix("failed: ") && $0.contains("sound") })
    }
}
