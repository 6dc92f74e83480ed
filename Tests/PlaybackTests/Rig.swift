import Casting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// A player with a screen and a loudspeaker that note what comes out, and everything it told.
final class Rig: Sendable {
    let screen: FakeScreen
    let speaker: Speaker
    let player: Player
    private let heard: Mutex<[Event]> = Mutex([])
    private let listener = Mutex<Task<Void, Never>?>(nil)

    init(readsNumbers: Bool = true, settings: PlayerSettings = PlayerSettings()) {
        screen = FakeScreen(readsNumbers: readsNumbers)
        speaker = Speaker()
        player = Player(video: screen, audio: speaker.output, settings: settings)
        let events = player.events
        listener.withLock {
            $0 = Task { [weak self] in
                for await event in events { self?.heard.withLock { $0.append(event) } }
            }
        }
    }

    deinit {
        let player = player
        Task { await player.shutdown() }
    }

    /// Everything told so far, in order.
    var events: [Event] { heard.withLock { $0 } }

    /// The items that were told to have ended, in order.
    var ended: [String] {
        events.compactMap { if case .ended(let id) = $0 { id } else { nil } }
    }

    /// The states told so far, in order.
    var states: [PlaybackState] {
        events.compactMap { if case .state(let state) = $0 { state } else { nil } }
    }

    /// Loads an item and answers its outcome.
    @discardableResult
    func load(
        _ url: String, at position: Double? = nil, paused: Bool = false, rate: Double? = nil
    ) async throws -> CommandOutcome {
        var item = MediaItem(url: url, startPosition: position, paused: paused)
        item.rate = rate
        return try await player.perform(.load(item))
    }

    /// Seeks and answers how it went.
    func seek(_ position: Double, tolerance: Double? = nil) async throws -> SeekOutcome {
        let request = SeekRequest(position: position, toleranceBefore: tolerance, toleranceAfter: tolerance)
        guard case .seek(let outcome) = try await player.perform(.seek(request)) else { throw CastError(.unknown, "") }
        return outcome
    }

    /// Waits until playback moves.
    func playing() async throws {
        try #require(await eventually { player.state.timeControlStatus == .playing })
    }

    /// Waits until the queue has been played.
    func idle(within seconds: Double = 20) async throws {
        // And until what was told of it has been heard.
        try #require(
            await eventually(within: seconds) { player.state.item == nil && states.last?.item == nil })
    }
}

/// A loudspeaker that notes its samples: mono, with the count of those pulled.
final class Speaker: Sendable {
    private final class Tape: Sendable {
        let samples = Mutex<[Float]>([])
    }

    private let tape: Tape
    let output: SilentAudioOutput
    static let sampleRate = 48_000

    init() {
        let tape = Tape()
        self.tape = tape
        output = SilentAudioOutput(
            format: AudioOutputFormat(sampleRate: Self.sampleRate, channelCount: 2, latency: 0)
        ) { buffer in
            let mono = stride(from: 0, to: buffer.count, by: 2).map { buffer[$0] }
            tape.samples.withLock { $0 += mono }
        }
    }

    /// All samples pulled so far.
    var pulled: [Float] { tape.samples.withLock { $0 } }

    /// Where tones begin and end in what was pulled, in seconds.
    var tones: [(start: Double, end: Double)] {
        var result: [(start: Double, end: Double)] = []
        let rate = Double(Self.sampleRate)
        var (start, last): (Int?, Int) = (nil, 0)
        for (index, sample) in pulled.enumerated() where abs(sample) > 0.1 {
            if let begin = start, index - last > Self.sampleRate / 100 {
                result.append((Double(begin) / rate, Double(last) / rate))
                start = index
            }
            start = start ?? index
            last = index
        }
        if let start { result.append((Double(start) / rate, Double(last) / rate)) }
        return result
    }
}

/// Clips for these tests: small, so that they are made and decoded quickly.
enum Clips {
    /// 4 s of picture and sound, 25 pictures a second, a key frame each 2 s.
    static var film: Clip {
        var clip = Clip()
        clip.height = 128
        return clip
    }

    /// The same of another length.
    static func film(seconds: Double) -> Clip {
        var clip = film
        clip.duration = seconds
        return clip
    }

    /// The film with its index at the start.
    static var streamed: Clip {
        var clip = film
        clip.more = ["-movflags", "+faststart"]
        return clip
    }

    /// A streamed film that takes some 250 kB a second, evenly: enough for a slow origin to be known as one.
    static func heavy(seconds: Double) -> Clip {
        var clip = streamed
        clip.duration = seconds
        clip.video = [
            "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-b:v", "2000k", "-minrate", "2000k",
            "-maxrate", "2000k", "-bufsize", "500k", "-x264-params", "nal-hrd=cbr",
        ]
        return clip
    }

    static var silent: Clip {
        var clip = film
        clip.audio = nil
        return clip
    }

    static func song(seconds: Double = 4) -> Clip {
        var clip = film
        clip.video = nil
        clip.duration = seconds
        clip.fileExtension = "m4a"
        return clip
    }
}
