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

    @Test("A device that was closed in a long pause goes on where it was")
    func rest() throws {
        let probe = try Probe("show", "paused-ramp", "0.6")
        #expect(probe.numbers("pulled while paused").first == 0)
        #expect(probe.numbers("ramp").first == 28_800)
    }

    @Test("On a PulseAudio server every sample is heard once and in order, also over a pause")
    func pulseAudio() async throws {
        let sink = try await SoundSink(format: "float32le")
        let folder = try TemporaryFolder()
        let tape = folder.path + "/tape"
        let recorder = try Child(
            "sh",
            [
                "-c",
                "exec parec --raw --device=\(sink.name).monitor --format=float32le --rate=48000 --channels=2 >\(tape)",
            ], environment: ["PULSE_SERVER": sink.server])
        func heard() -> [Float] {
            let data = (try? Data(contentsOf: URL(fileURLWithPath: tape))) ?? Data()
            return data.withUnsafeBytes { $0.prefix($0.count & ~7).withMemoryRebound(to: Float.self) { Array($0) } }
        }
        try #require(await eventually(within: 20) { !heard().isEmpty }, "\(recorder.errors)")
        let probe = try Probe(
            "show", "paused-ramp", "1",
            environment: ["SDL_AUDIODRIVER": "pulseaudio", "PULSE_SERVER": sink.server, "PULSE_SINK": sink.name])
        #expect(probe.numbers("pulled while paused").first == 0)
        let frames = Int(try #require(probe.numbers("ramp").first))
        let expected = (1...frames).flatMap { [Float($0) / 0x1p17, Float($0) / 0x1p17] }
        #expect(await eventually { heard().count { $0 != 0 } >= expected.count })
        let sound = heard().filter { $0 != 0 }
        let wrong = zip(sound, expected).enumerated().first { $1.0 != $1.1 }
        #expect(
            sound.count == expected.count && wrong == nil,
            "\(sound.count) samples, first wrong: \(String(describing: wrong))")
    }

    @Test("Where there is no PulseAudio server, SDL finds another way")
    func noServer() throws {
        let probe = try Probe(
            "show", "tone", "0.1", environment: ["SDL_AUDIODRIVER": "pulseaudio,dummy", "PULSE_SERVER": "unix:@/none"])
        #expect(probe.lines.contains { $0.hasPrefix("tone: ") })
    }
}
