internal import Casting
internal import Media
internal import Playback
internal import Synchronization

/// What other threads ask of the screen, until the main thread takes it.
final class ScreenMailbox: Sendable {
    /// Who waits for a screenshot.
    typealias CaptureReply = CheckedContinuation<Result<PixelPicture, CastError>, Never>

    /// What lies in the box.
    struct Contents {
        var director: ScreenDirector
        var size: Size?
        var waiting: Picture?
        var isFlushed = false
        var isCleared = false
        var gravity = VideoGravity.resizeAspect
        var captures: [CaptureReply] = []
        var isOver = false
        var mustQuit = false
    }

    private let contents: Mutex<Contents>
    let wait: EventWait

    init(director: ScreenDirector, wait: EventWait) {
        contents = Mutex(Contents(director: director))
        self.wait = wait
    }

    /// Changes what lies in the box and wakes the main thread.
    func change<Result: Sendable>(_ body: (inout sending Contents) -> sending Result) -> Result {
        let result = contents.withLock(body)
        wait.wake()
        return result
    }

    /// Looks at or takes what lies in the box, waking nobody.
    func look<Result: Sendable>(_ body: (inout sending Contents) -> sending Result) -> Result {
        contents.withLock(body)
    }
}

/// The player's end of the screen.
final class ScreenVideoOutput: VideoOutput {
    private let mailbox: ScreenMailbox

    init(_ mailbox: ScreenMailbox) {
        self.mailbox = mailbox
    }

    var size: Size? { mailbox.look { $0.size } }

    func enqueue(_ picture: Picture) {
        mailbox.change { contents in
            contents.waiting = picture
        }
    }

    func flush() {
        mailbox.change { contents in
            contents.waiting = nil
            contents.isFlushed = true
        }
    }

    func clear() {
        mailbox.change { contents in
            contents.waiting = nil
            contents.isFlushed = true
            contents.isCleared = true
        }
    }

    func setGravity(_ gravity: VideoGravity) { mailbox.change { $0.gravity = gravity } }

    func subtitlesChanged() { mailbox.wait.wake() }
}
