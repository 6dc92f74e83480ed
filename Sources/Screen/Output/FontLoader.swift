internal import Casting
internal import Synchronization
internal import Threads

/// Gets words ready on a thread of its own: the first look through a machine's fonts may take seconds.
final class FontLoader: Sendable {
    private let renderer = Mutex<TextRenderer?>(nil)

    /// Begins; `whenDone` is called on that thread.
    init(screen: Size, whenDone: @escaping @Sendable () -> Void) {
        OwnThread.start("fonts") { [self] in
            renderer.withLock {
                $0 = TextRenderer(screen: screen)
                // Finds and opens the fonts most words need.
                for weight in [TextRun.Weight.regular, .medium, .bold] {
                    _ = $0?.bitmap(for: TextRun("Abc…", size: 40, weight: weight, maxWidth: 400))
                }
            }
            whenDone()
        }
    }

    /// The renderer, once, when it is ready; nil before, without waiting.
    func take() -> TextRenderer? {
        renderer.withLockIfAvailable { (value) -> sending TextRenderer? in
            let taken = value
            value = nil
            return taken
        } ?? nil
    }
}
