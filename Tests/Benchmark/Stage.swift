import Foundation
import ScreenWatch
import TestSupport

/// Where the players perform: an X screen in memory, a clip on a local HTTP server, sound that goes nowhere in real time.
final class Stage {
    let environment: [String: String]
    private let watch: ScreenWatch
    private let screen: Child

    /// A screen of `width` by `height` pixels, so that a clip of that size is shown as it is.
    init(width: Int, height: Int) throws {
        let name = ":\(100 + Int.random(in: 0..<800))"
        screen = try Child("Xvfb", [name, "-screen", "0", "\(width)x\(height)x24", "-nolisten", "tcp"])
        environment = ["DISPLAY": name, "SDL_AUDIODRIVER": "dummy", "SDL_VIDEODRIVER": "x11"]
        var found: ScreenWatch?
        for _ in 0..<200 where found == nil {
            usleep(20_000)
            found = ScreenWatch(display: name)
        }
        guard let found else { throw RunFailure(description: "Xvfb did not start.") }
        watch = found
    }

    /// Seconds from `start` until a picture with a number is on the screen.
    func untilPicture(since start: ContinuousClock.Instant) throws -> Double {
        for _ in 0..<15_000 {
            if watch.frameNumber() != nil { return (ContinuousClock.now - start) / .seconds(1) }
            usleep(1_000)
        }
        throw RunFailure(description: "No picture came within 15 seconds.")
    }

    /// Waits until no clip is on the screen, so that the next one starts from the same state.
    func untilBlank() throws {
        for _ in 0..<1_000 {
            if watch.frameNumber() == nil { return }
            usleep(10_000)
        }
        throw RunFailure(description: "The last picture did not go away within 10 seconds.")
    }
}
