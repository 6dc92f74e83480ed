import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct AudioConverterTests {
    @Test(
        "sound of any format becomes the device's, at the right times", arguments: [8000, 44_100, 48_000, 192_000],
        [1, 2, 3, 6, 8])
    func formats(_ rate: Int, _ channels: Int) throws {
        let chunks = try convert(rate: rate, channels: channels)
        let frames = chunks.map(\.frameCount).reduce(0, +)
        #expect(abs(frames - 48_000) < 100)
        #expect(abs(chunks[0].time) < 0.001)
        for (earlier, later) in zip(chunks, chunks.dropFirst()) { #expect(abs(later.time - earlier.endTime) < 1e-6) }
        let loudest = try #require(chunks.flatMap(\.samples).map(abs).max())
        #expect(loudest > 0.1)
        #expect(loudest < 1.01)
    }

    @Test("samples before the start time are left out, to the sample")
    func trimmed() throws {
        let chunks = try convert(rate: 48_000, channels: 1) { converter, _ in converter.startTime = 0.3333 }
        let first = try #require(chunks.first)
        #expect(abs(first.time - 0.3333) <= 0.5 / 48_000)
        #expect(chunks.map(\.frameCount).reduce(0, +) == 48_000 - Int((0.3333 * 48_000).rounded()))
    }

    @Test("a change of format in mid-stream is heard without a gap")
    func formatChange() throws {
        let folder = try TemporaryFolder()
        let parts = try [(2, 48_000), (6, 44_100)].map { channels, rate in
            let path = folder.path + "/\(rate).ts"
            try run(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "sine=440:r=\(rate):d=1", "-ac", "\(channels)", "-c:a", "ac3",
                    "-output_ts_offset", rate == 48_000 ? "0" : "1", path,
                ])
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        let film = parts[0] + parts[1]
        let decoded = try Decoded(FakeServer { _ in film }.demuxer("http://server/film.ts"))
        #expect(abs(Double(decoded.sound.count) / 48_000 - 2) < 0.1)
    }

    private func convert(
        rate: Int, channels: Int, before: (AudioConverter, Double) -> Void = { _, _ in }
    ) throws -> [AudioChunk] {
        let folder = try TemporaryFolder()
        let path = folder.path + "/sine.wav"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "aevalsrc='0.5*sin(2*PI*440*t)':s=\(rate):d=1", "-ac",
                "\(channels)",
                path,
            ])
        let demuxer = try FakeServer(path: path).demuxer()
        let decoder = try AudioDecoder(#require(demuxer.streams.first))
        let converter = AudioConverter(sampleRate: 48_000, channelCount: 2)
        var chunks: [AudioChunk] = []
        func take() throws {
            while let frame = try decoder.receive() {
                before(converter, frame.presentationTime)
                if let chunk = try converter.convert(frame) { chunks.append(chunk) }
            }
        }
        while let packet = try demuxer.nextPacket() {
            try decoder.send(packet)
            try take()
        }
        try decoder.send(nil)
        try take()
        if let chunk = try converter.drain() { chunks.append(chunk) }
        try #require(!chunks.isEmpty)
        return chunks
    }
}

/// Loudspeakers: whatever the media is made for, the device there is plays all of it.
@Suite struct ChannelTests {
    /// The loudest sample that each device channel gets of a sound whose every channel is a full-scale tone.
    private func peaks(_ layout: String, count: Int, to channels: Int) throws -> [Float] {
        let waves = Array(repeating: "sin(2764*t)", count: count).joined(separator: "|")
        let source = "aevalsrc='\(waves)':s=48000:d=0.1" + (layout.isEmpty ? "" : ":c=" + layout)
        let folder = try TemporaryFolder()
        let file = folder.path + "/a.wav"
        try run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", source, "-c:a", "pcm_f32le", file])
        let demuxer = try FakeServer(path: file).demuxer()
        let decoder = try AudioDecoder(#require(demuxer.streams.first))
        let converter = AudioConverter(sampleRate: 48_000, channelCount: channels)
        var result = [Float](repeating: 0, count: channels)
        func take() throws {
            while let frame = try decoder.receive() {
                guard let chunk = try converter.convert(frame) else { continue }
                for (index, sample) in chunk.samples.enumerated() {
                    result[index % channels] = max(result[index % channels], abs(sample))
                }
            }
        }
        while let packet = try demuxer.nextPacket() {
            try decoder.send(packet)
            try take()
        }
        try decoder.send(nil)
        try take()
        return result
    }

    @Test(
        "every layout comes out of every device, and never over full scale",
        arguments: [
            ("mono", 1), ("stereo", 2), ("2.1", 3), ("quad", 4), ("5.0", 5), ("5.1", 6), ("6.1", 7), ("7.1", 8),
            ("hexadecagonal", 16),
        ], [1, 2, 4, 6, 8])
    func mixing(_ layout: (String, Int), _ channels: Int) throws {
        let peaks = try peaks(layout.0, count: layout.1, to: channels)
        #expect((peaks.max() ?? 2) <= 1.001, "\(peaks)")
        // One channel is for the middle, where there is a loudspeaker; all others are for the front ones at least.
        #expect((peaks.max() ?? 0) > 0.1)
        if layout.1 > 1 { #expect(peaks.prefix(2).allSatisfy { $0 > 0.1 }, "\(peaks)") }
    }
}
