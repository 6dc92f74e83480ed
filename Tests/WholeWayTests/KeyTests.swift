import Casting
import Foundation
import Sender
import TestSupport
import Testing

/// The TV's own keys do what a sender's commands do, and the sender hears of it.
@Suite(.enabled(if: XDisplay.isThere, "Xvfb and xdotool are needed to press keys."))
struct KeyTests {
    @Test("keys at the TV act on the sender's session")
    func keys() async throws {
        let display = try await XDisplay("640x360")
        let theatre = try await Theatre(environment: display.environment)
        var clip = Clip()
        clip.duration = 30
        let server = try ClipServer(path: try clip.path())
        let follower = try theatre.startCastsend("play", server.url, "--at", "12", "--json")
        #expect(try await theatre.eventuallyState { $0.timeControlStatus == .playing })

        try display.press("space")
        #expect(try await theatre.eventuallyState { $0.timeControlStatus == .paused })
        try display.press("space")
        #expect(try await theatre.eventuallyState { $0.timeControlStatus == .playing })
        try display.press("space")
        #expect(try await theatre.eventuallyState { $0.timeControlStatus == .paused })

        let position = try await theatre.castsendSession().playback().timeline.position
        for (key, change) in [("Right", 10.0), ("Left", 0), ("Left", -10)] {
            try display.press(key)
            // To the picture that is up at that time: within one of it.
            #expect(
                try await theatre.eventuallyState { abs($0.timeline.position - position - change) < 0.05 }, "\(key)")
        }
        let state = try await theatre.state()
        #expect(try await theatre.frameNumber() == Int((state.timeline.position * 25).rounded()))

        for (key, volume) in [("Down", 0.95), ("Down", 0.9), ("Up", 0.95)] {
            try display.press(key)
            #expect(try await theatre.eventuallyState { abs($0.volume - volume) < 0.001 }, "\(key)")
        }
        for muted in [true, false] {
            try display.press("m")
            #expect(try await theatre.eventuallyState { $0.muted == muted && abs($0.volume - 0.95) < 0.001 })
        }

        try display.press("Escape")
        #expect(await follower.status() == 0)
        #expect(follower.output.contains("endedAtReceiver"), "\(follower.output)")
        #expect(try await theatre.client.receiver().currentSender == nil)
        // A key without anything to act on does no harm.
        try display.press("space", "Left", "Up", "Escape")
        // The last of them may still be on its way, and end what is begun meanwhile.
        #expect(
            try await eventually(within: 30) {
                guard try await theatre.castsend("play", server.url, "--paused", "--detach").status == 0 else {
                    return false
                }
                return (try? await theatre.frameNumber()) == 0
            })
    }
}
