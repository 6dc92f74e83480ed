import Casting
import Foundation
import Media
import Synchronization
import TestSupport

@testable import Playback

/// A screen that notes what comes up and when, at each picture's due time, on a thread of its own.
final class FakeScreen: VideoOutput {
    /// A picture that came up.
    struct Shown: Sendable {
        /// Item time by its timestamp.
        var time: Double
        /// The number in it; nil where none can be read.
        var number: Int?
        /// When it was to come up, and when it did.
        var due: HostTime
        var instant: HostTime
    }

    private struct State {
        var waiting: Picture?
        var shown: [Shown] = []
        var isClear = true
        var clears = 0
        var isOver = false
        /// Never says that a picture is up.
        var isMute = false
        /// Seconds after which it says that a picture is up.
        var delay = 0.0
    }

    private let state = Monitor(State())
    let size: Size? = Size(width: 1280, height: 720)

    init(readsNumbers: Bool = true) {
        let state = state
        _ = try? PlayerThread(name: "screen") {
            let scaler = Scaler(threads: 1)
            while let picture = Self.next(state) {
                let instant = HostTime.now
                let number = readsNumbers ? Self.number(in: picture.frame, with: scaler) : nil
                let (isMute, delay) = state.withLock { state in
                    state.isClear = false
                    state.shown.append(
                        Shown(
                            time: picture.frame.presentationTime, number: number, due: picture.dueTime, instant: instant
                        ))
                    return (state.isMute, state.delay)
                }
                if delay > 0 { usleep(UInt32(delay * 1_000_000)) }
                if !isMute { picture.whenShown(instant) }
            }
        }
    }

    deinit {
        state.withLock { $0.isOver = true }
        state.signal()
    }

    private static func next(_ state: Monitor<State>) -> Picture? {
        state.wait { state in
            if state.isOver { return .done(nil) }
            guard let picture = state.waiting else { return .wait() }
            guard HostTime.now >= picture.dueTime else { return .wait(until: picture.dueTime) }
            state.waiting = nil
            return .done(picture)
        }
    }

    private static func number(in frame: VideoFrame, with scaler: Scaler) -> Int? {
        // The number is in the top row: no more of the picture is drawn than that.
        let (width, height) = (frame.displaySize.width, frame.displaySize.height)
        guard width >= 512, let picture = try? scaler.picture(of: frame, width: width, height: height) else {
            return nil
        }
        return FrameCode.read { x, y in Int(picture.bytes[(y * picture.width + x) * 4 + 1]) }
    }

    func enqueue(_ picture: Picture) {
        state.withLock { $0.waiting = picture }
        state.signal()
    }

    func flush() { state.withLock { $0.waiting = nil } }

    func clear() {
        state.withLock { state in
            state.isClear = true
            state.clears += 1
        }
    }

    /// Stops or goes on saying that pictures are up.
    func setMute(_ isMute: Bool) { state.withLock { $0.isMute = isMute } }

    /// Has it be slow to say that pictures are up.
    func setDelay(_ seconds: Double) { state.withLock { $0.delay = seconds } }

    /// All pictures that came up so far.
    var shown: [Shown] { state.withLock { $0.shown } }

    /// The picture that is up.
    var current: Shown? { state.withLock { $0.isClear ? nil : $0.shown.last } }

    /// Whether the background shows.
    var isClear: Bool { state.withLock { $0.isClear } }
}
