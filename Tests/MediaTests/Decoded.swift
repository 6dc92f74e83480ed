import Casting
import TestSupport

@testable import Media

/// Everything that comes out of a demuxer's selected streams, decoded.
struct Decoded: CustomStringConvertible, Sendable {
    /// The number in each picture; nil where none could be read.
    var numbers: [Int?] = []
    /// Item time of each picture.
    var pictureTimes: [Double] = []
    /// Samples of sound, of the first channel, with the time of the first.
    var sound: [Float] = []
    var soundStart: Double?
    var sampleRate = 48_000
    var soundEnd: Double?

    var description: String { "\(numbers.count) pictures, \(sound.count) samples" }

    /// Reads on to the end, or until `enough` pictures are there.
    init(_ demuxer: Demuxer, enough: Int = .max) throws {
        let played = demuxer.streams.filter { demuxer.selectedStreams.contains($0.index) }
        let videoStream = played.first { $0.kind == .visual && !$0.isAttachedPicture }
        let audioStream = played.first { $0.kind == .audible }
        let video = try videoStream.map { try VideoDecoder($0) }
        let audio = try audioStream.map { try AudioDecoder($0) }
        let converter = AudioConverter(sampleRate: 48_000, channelCount: 2)
        let scaler = Scaler(threads: 1)
        func take() throws {
            while let frame = try video?.receive() {
                pictureTimes.append(frame.presentationTime)
                numbers.append(try Decoded.number(in: frame, with: scaler))
            }
            while let frame = try audio?.receive() {
                if let chunk = try converter.convert(frame) { add(chunk) }
            }
        }
        while numbers.count < enough, let packet = try demuxer.nextPacket() {
            if packet.streamIndex == videoStream?.index { try video?.send(packet) }
            if packet.streamIndex == audioStream?.index { try audio?.send(packet) }
            try take()
        }
        guard enough == .max else { return }
        try video?.send(nil)
        try audio?.send(nil)
        try take()
        if let chunk = try converter.drain() { add(chunk) }
    }

    /// Whether the tone sounds, looked at in the middle of a stretch of `length` seconds from `time` on.
    func loudness(from time: Double, length: Double) -> Float {
        guard let soundStart else { return 0 }
        let start = max(0, Int((time - soundStart) * Double(sampleRate)))
        let end = min(sound.count, start + Int(length * Double(sampleRate)))
        guard start < end else { return 0 }
        return (sound[start..<end].map { $0 * $0 }.reduce(0, +) / Float(end - start)).squareRoot()
    }

    private mutating func add(_ chunk: AudioChunk) {
        if soundStart == nil { soundStart = chunk.time }
        soundEnd = chunk.endTime
        sound += stride(from: 0, to: chunk.samples.count, by: chunk.channelCount).map { chunk.samples[$0] }
    }

    static func number(in frame: VideoFrame, with scaler: Scaler) throws -> Int? {
        guard frame.displaySize.width >= 512 else { return nil }
        // The corner with the number is enough.
        let (width, height) = (512, 32)
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        try bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            let size = frame.displaySize
            try scaler.draw(
                frame, into: start, stride: width * 4, width: width, height: height,
                crop: Crop(
                    right: 1 - Double(width) / Double(size.width), bottom: 1 - Double(height) / Double(size.height)))
        }
        return FrameCode.read { x, y in Int(bytes[(y * width + x) * 4 + 1]) }
    }
}
