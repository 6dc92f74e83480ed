import Casting
import Foundation
import ScreenWatch
import TestSupport

/// Where one player performs: an X screen of its own, and the sound card that all share.
///
/// Each has its own screen, so that those that stay open do not lie over one another.
final class Stage: Sendable {
    let display: String
    let sink: SoundSink
    private let screen: Child

    /// A screen of `width` by `height` pixels, so that a clip of that size is shown as it is.
    init(width: Int, height: Int, sink: SoundSink) async throws {
        self.sink = sink
        // Without access control: some players refuse to run as root, and run as somebody else.
        let child = try Child(
            "sh",
            ["-c", "exec Xvfb -displayfd 1 -screen 0 \(width)x\(height)x24 -nolisten tcp -noreset -ac 2>/dev/null"])
        screen = child
        guard await eventually(within: 20, { child.output.hasSuffix("\n") }) else {
            throw RunFailure(description: "Xvfb did not start.")
        }
        display = ":" + child.output.trimmingCharacters(in: .whitespacesAndNewlines)
        if Int(display.dropFirst()) ?? 0 > 9 {
            // mpv takes displays of higher numbers for another machine's, and shares no memory with them.
            throw RunFailure(description: "The displays :0 to :9 are taken, and mpv is slow on others. Close some.")
        }
    }

    /// What a player needs to find both.
    var environment: [String: String] {
        [
            "DISPLAY": display, "SDL_VIDEODRIVER": "x11", "SDL_AUDIODRIVER": "pulseaudio",
            "PULSE_SERVER": sink.server, "PULSE_SINK": sink.name,
        ]
    }

    /// Begins to watch.
    func record() throws -> ScreenRecorder { try ScreenRecorder(display: display) }

    /// Waits until no clip is on the screen, so that the next one starts from the same state.
    func untilBlank() async throws {
        let recorder = try record()
        let start = HostTime.now
        _ = try await recorder.wait(since: start, seconds: 10, for: "blank screen") { $0.number == nil }
    }
}
