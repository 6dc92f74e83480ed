import Casting
import Foundation
import Media
import Playback
import Screen
import Synchronization

/// The steps a probe takes, one after the other, beside the screen's main loop.
struct Script: Sendable {
    let screen: Screen
    let words: [String]
    private let text = ProbeText()

    func start() {
        let screen = screen
        Task.detached {
            for await command in screen.commands { say("key: \(command)") }
        }
        Task.detached { [self] in
            do {
                try await run()
            } catch {
                say("failed: \(error)")
            }
            screen.quit()
        }
    }

    private func run() async throws {
        var status = ScreenStatus(receiverName: "Living Room")
        status.addresses = ["192.168.1.20:7766", "livingroom.local:7766"]
        var words = words[...]
        func argument() -> String { words.popFirst() ?? "" }
        while let word = words.popFirst() {
            switch word {
            // What is known.
            case "name": status.receiverName = argument()
            case "sender": status.senderName = argument()
            case "advice": status.advice = argument()
            case "item": status.playback.item = ItemState(id: UUID().uuidString, title: argument())
            case "artist": status.playback.item?.artist = argument()
            case "ready":
                status.playback.item?.status = .readyToPlay
                status.playback.item?.duration = Double(argument())
                let kinds: [MediaTrack.Kind] = argument() == "audio" ? [.audible] : [.visual, .audible]
                status.playback.item?.tracks = kinds.enumerated().map {
                    MediaTrack(id: "\($0)", kind: $1, codec: "test", selected: true)
                }
                status.playback.readyForDisplay = kinds.contains(.visual)
            case "position": setTimeline(&status.playback, position: Double(argument()) ?? 0)
            case "loaded": status.playback.item?.loadedTimeRanges = [TimeRange(start: 0, end: Double(argument()) ?? 0)]
            case "stop": status.playback.item = nil
            case "play", "pause", "wait": setStatus(&status.playback, word)
            case "rate": status.playback.rate = Double(argument()) ?? 1
            case "volume": status.playback.volume = Double(argument()) ?? 1
            case "mute": status.playback.muted.toggle()
            case "fail":
                status.playback.item?.status = .failed
                status.playback.item?.error = CastError(.contentIsUnavailable, argument(), hint: argument())
            case "notice": status.notice = CastError(.unknown, argument(), hint: argument())
            case "show": screen.update(status)
            // What is done.
            case "sleep": try await Task.sleep(for: .seconds(Double(argument()) ?? 1))
            case "capture":
                let picture = try await screen.capturePicture()
                let path = argument()
                try Data(picture.bytes).write(to: URL(fileURLWithPath: path))
                say("captured: \(picture.width)x\(picture.height)")
            case "png": try await screen.capture().write(to: URL(fileURLWithPath: argument()))
            case "measure": try await measure(seconds: Double(argument()) ?? 1)
            case "size": say("size: \(screen.videoOutput.size.map { "\($0.width)x\($0.height)" } ?? "none")")
            case "text": say("text: \(text.say(argument()))")
            case "texting": screen.videoOutput.subtitlesChanged()
            case "frame": try await show(picture(argument(), size: argument()), after: Double(argument()) ?? 0)
            case "coded":
                try await show(coded(argument(), size: argument(), argument(), argument(), argument()), after: 0)
            case "enqueue": try enqueue(picture(argument(), size: argument()), after: Double(argument()) ?? 0)
            case "film": try await film(size: argument(), count: Int(argument()) ?? 0, rate: Double(argument()) ?? 25)
            case "tone": try await tone(seconds: Double(argument()) ?? 1)
            case "paused-ramp": try await pausedRamp(seconds: Double(argument()) ?? 1)
            case "gravity": screen.videoOutput.setGravity(VideoGravity(rawValue: argument()) ?? .resizeAspect)
            case "flush": screen.videoOutput.flush()
            case "clear": screen.videoOutput.clear()
            default: say("unknown step: \(word)")
            }
        }
    }

    /// A picture of a colour (`RRGGBB`), of four colours in its corners (`corners`), or from a file of pixels.
    private func picture(_ kind: String, size text: String) throws -> VideoFrame {
        let sides = text.split(separator: "x").compactMap { Int($0) }
        var picture = PixelPicture(width: sides[0], height: sides[1])
        if kind.contains("/") {
            picture.bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: kind)))
        } else {
            let colors: [UInt32] =
                UInt32(kind, radix: 16).map { [$0, $0, $0, $0] } ?? [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF]
            picture.bytes = (0..<sides[1]).flatMap { y in
                (0..<sides[0]).flatMap { x in
                    let color = colors[(y * 2 / sides[1]) * 2 + x * 2 / sides[0]]
                    return [UInt8(color & 255), UInt8(color >> 8 & 255), UInt8(color >> 16), 0]
                }
            }
        }
        return try VideoFrame(picture)
    }

    /// A picture of samples in a file: FFmpeg's pixel format, size, colours, degrees to turn (with `m` mirrored first), file.
    private func coded(_ format: String, size text: String, _ colour: String, _ turn: String, _ path: String) throws
        -> VideoFrame
    {
        let sides = text.split(separator: "x").compactMap { Int($0) }
        let words = colour.split(separator: "-")
        let matrix: ColourDescription.Matrix =
            words.contains("601") ? .bt601 : words.contains("2020") ? .bt2020 : words.contains("rgb") ? .rgb : .bt709
        let isWide = words.contains("wide") || words.contains("pq") || words.contains("hlg")
        let description = ColourDescription(
            matrix: matrix, isFullRange: words.contains("full") || matrix == .rgb,
            transfer: words.contains("pq") ? .pq : words.contains("hlg") ? .hlg : .sdr,
            primaries: isWide ? .bt2020 : .bt709)
        let orientation = Orientation(
            rotation: Int(turn.filter { $0 != "m" }) ?? 0, mirrored: turn.hasSuffix("m"))
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let frame = try VideoFrame(
            format: format, width: sides[0], height: sides[1], bytes: bytes, colour: description,
            orientation: orientation)
        guard let frame else { throw CastError(.unknown, "The file does not fit its format.") }
        return frame
    }

    /// Has a picture shown, and waits for it.
    private func show(_ frame: VideoFrame, after seconds: Double) async throws {
        let due = HostTime.now.advanced(by: seconds)
        let shown = AsyncStream<HostTime>.makeStream()
        screen.videoOutput.enqueue(
            Picture(frame: frame, dueTime: due, subtitles: text) { instant in
                shown.continuation.yield(instant)
                shown.continuation.finish()
            })
        for await instant in shown.stream { say("shown: \(instant.seconds(since: due))") }
    }

    /// Has a picture shown later.
    private func enqueue(_ frame: VideoFrame, after seconds: Double) {
        screen.videoOutput.enqueue(
            Picture(frame: frame, dueTime: .now.advanced(by: seconds)) { _ in say("shown at last") })
    }

    /// Shows pictures at a steady rate and tells how late the latest came up.
    private func film(size: String, count: Int, rate: Double) async throws {
        let frames = [try picture("corners", size: size), try picture("808080", size: size)]
        let start = HostTime.now.advanced(by: 0.1)
        let worst = Mutex((latest: 0.0, sum: 0.0))
        let before = Self.processorTime()
        for index in 0..<count {
            let due = start.advanced(by: Double(index) / rate)
            let shown = AsyncStream<HostTime>.makeStream()
            screen.videoOutput.enqueue(
                Picture(frame: frames[index % 2], dueTime: due) { instant in
                    let late = instant.seconds(since: due)
                    worst.withLock { $0 = (max($0.latest, late), $0.sum + late) }
                    shown.continuation.yield(instant)
                    shown.continuation.finish()
                })
            for await _ in shown.stream {}
        }
        let late = worst.withLock { $0 }
        say("film: latest \(late.latest) mean \(late.sum / Double(count)) processor \(Self.processorTime() - before)")
    }

    /// Plays a sine of 440 Hz, the samples of channel 0 as they are and of the others negative.
    private func tone(seconds: Double) async throws {
        let format = try screen.audioOutput.openedFormat()
        let ring = AudioRing(format: format, seconds: seconds)
        let samples = (0..<Int(seconds * Double(format.sampleRate))).flatMap { index in
            let value = Float(0.5 * sin(2 * Double.pi * 440 * Double(index + 1) / Double(format.sampleRate)))
            return (0..<format.channelCount).map { $0 == 0 ? value : -value }
        }
        let written = samples.withUnsafeBufferPointer { ring.write($0) }
        try screen.audioOutput.start(ring)
        try await Task.sleep(for: .seconds(seconds + 0.5))
        screen.audioOutput.pause()
        screen.audioOutput.close()
        say("tone: \(written) frames, rate \(format.sampleRate), channels \(format.channelCount)")
    }

    /// A sound that rises for so long, with a pause in its middle long enough for the device to be closed.
    private func pausedRamp(seconds: Double) async throws {
        let format = try screen.audioOutput.openedFormat()
        let ring = AudioRing(format: format, seconds: seconds)
        let samples = (0..<Int(seconds * Double(format.sampleRate))).flatMap { index in
            [Float](repeating: Float(index + 1) / 0x1p17, count: format.channelCount)
        }
        _ = samples.withUnsafeBufferPointer { ring.write($0) }
        try screen.audioOutput.start(ring)
        try await Task.sleep(for: .seconds(seconds / 2))
        screen.audioOutput.pause()
        let (before, half) = (ring.waiting, Self.processorTime())
        try await Task.sleep(for: .seconds(2.5))
        say("pulled while paused: \(before - ring.waiting), processor: \(Self.processorTime() - half)")
        try screen.audioOutput.start(ring)
        while ring.waiting > 0 { try await Task.sleep(for: .milliseconds(20)) }
        // The device's own share.
        try await Task.sleep(for: .seconds(0.5))
        screen.audioOutput.pause()
        screen.audioOutput.close()
        say("ramp: \(samples.count / format.channelCount) frames, latency \(format.latency)")
    }

    private func setTimeline(_ playback: inout PlaybackState, position: Double) {
        playback.timeline = Timeline(position: position, hostTime: .now, effectiveRate: playback.timeline.effectiveRate)
    }

    private func setStatus(_ playback: inout PlaybackState, _ word: String) {
        playback.timeControlStatus =
            word == "play" ? .playing : word == "pause" ? .paused : .waitingToPlayAtSpecifiedRate
        playback.reasonForWaitingToPlay = word == "wait" ? .toMinimizeStalls : nil
        playback.rate = word == "pause" ? 0 : 1
        playback.timeline = Timeline(
            position: playback.timeline.position(at: .now), hostTime: .now, effectiveRate: word == "play" ? 1 : 0)
    }

    /// Tells how often the main thread woke, and what the process worked, while nothing was to be done.
    private func measure(seconds: Double) async throws {
        let before = (Self.wakeUps(), Self.processorTime())
        try await Task.sleep(for: .seconds(seconds))
        let after = (Self.wakeUps(), Self.processorTime())
        say("wake-ups: \(after.0 - before.0) processor: \(after.1 - before.1)")
    }

    /// How often the main thread has gone to sleep.
    private static func wakeUps() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        return line?.split(separator: "\t").last.flatMap { Int($0) } ?? -1
    }

    /// Seconds of processor time of all threads.
    private static func processorTime() -> Double {
        Double(clock()) / Double(CLOCKS_PER_SEC)
    }
}

/// Writes a line at once, for a test that waits for it.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
