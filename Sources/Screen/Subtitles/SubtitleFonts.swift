internal import Casting
internal import Playback
internal import Synchronization
internal import Threads

/// Gets renderers ready, each on a thread of its own: a first look through a machine's fonts may take minutes, and no
/// picture waits for it.
final class SubtitleFonts: Sendable {
    private let ready = Mutex<SubtitleRenderer?>(nil)
    private let whenDone: @Sendable () -> Void

    /// - Parameter whenDone: called on that thread when a renderer is ready.
    init(whenDone: @escaping @Sendable () -> Void) {
        self.whenDone = whenDone
    }

    /// Begins to make a renderer with some fonts.
    func make(_ fonts: AttachedFonts) {
        OwnThread.start("subtitle fonts") { [self] in
            ready.withLock { $0 = SubtitleRenderer(fonts: fonts) }
            whenDone()
        }
    }

    /// The renderer, once, when it is ready; nil before, without waiting.
    func take() -> SubtitleRenderer? {
        ready.withLockIfAvailable { (value) -> sending SubtitleRenderer? in
            let taken = value
            value = nil
            return taken
        } ?? nil
    }
}
