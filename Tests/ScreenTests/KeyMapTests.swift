import Casting
import Screen
import Testing

@Suite("Keys")
struct KeyMapTests {
    private let start = HostTime(seconds: 50)

    @Test(
        "Each key does what a remote command would",
        arguments: [
            (Key.space, Command.togglePlayback), (.left, .skip(by: -10)), (.right, .skip(by: 10)),
            (.period, .step(by: 1)), (.comma, .step(by: -1)),
            (.up, .setVolume(.adjust(0.05))), (.down, .setVolume(.adjust(-0.05))), (.m, .setVolume(.toggleMute)),
            (.z, .setSubtitles(SubtitleChange(delayAdjustment: -0.1))),
            (.x, .setSubtitles(SubtitleChange(delayAdjustment: 0.1))),
            (.w, .nextVideoGravity), (.escape, .disconnect), (.mediaPlay, .togglePlayback), (.mediaStop, .stop),
            (.mediaNext, .next),
            (.pageUp, .nextChapter), (.pageDown, .previousChapter), (.a, .nextTrack(of: .audible)),
            (.s, .nextTrack(of: .legible)), (.mediaPrevious, .previous),
            (.mute, .setVolume(.toggleMute)), (.volumeUp, .setVolume(.adjust(0.05))),
        ])
    func commands(key: Key, command: Command) {
        var keys = KeyMap()
        #expect(keys.action(for: key, isRepeat: false, at: start) == .command(command))
    }

    @Test("F is the screen's own")
    func fullScreen() {
        var keys = KeyMap()
        #expect(keys.action(for: .f, isRepeat: false, at: start) == .toggleFullScreen)
    }

    @Test("Held keys repeat at a pace one can follow, and toggles not at all")
    func repeats() {
        for (key, expected) in [(Key.right, 4), (.up, 11), (.space, 1), (.f, 1), (.escape, 1)] {
            var keys = KeyMap()
            var count = keys.action(for: key, isRepeat: false, at: start) == nil ? 0 : 1
            for index in 1...30 {
                let now = start.advanced(by: Double(index) / 29)
                if keys.action(for: key, isRepeat: true, at: now) != nil { count += 1 }
            }
            #expect(abs(count - expected) <= 2, "\(key): \(count)")
            if expected == 1 { #expect(count == 1) }
        }
    }
}
