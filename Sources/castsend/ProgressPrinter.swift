import Casting
import Sender

/// Prints how playback goes: one line that is drawn again on a terminal, else a line now and then.
struct ProgressPrinter {
    private let output: Output
    private var pace = ProgressPace()
    private var isDrawn = false
    private var title: String?
    /// While true nothing is drawn, as somebody is being asked something.
    var isHeld = false

    /// A printer of an item whose title has been said already.
    init(_ output: Output, title: String?) {
        self.output = output
        self.title = title
    }

    /// Shows a state, `position` seconds into its item.
    mutating func show(_ state: PlaybackState, position: Double, isConnected: Bool) {
        guard !output.isJSON, !isHeld else { return }
        if let new = state.item?.title, new != title {
            say(new)
            title = new
        }
        let view = ProgressView(state, position: position, isConnected: isConnected)
        if Terminal.canRedraw {
            // One column is left free: some terminals wrap when the last one is written to.
            let line = ProgressLine.text(view, width: Terminal.width - 1, ascii: Terminal.isASCII)
            output.write("\r\(line)\u{1b}[K")
            isDrawn = true
        } else if pace.isDue(view, item: state.item?.id, at: .now) {
            output.say(ProgressLine.plain(view))
        }
    }

    /// Prints a line that stays, above the one that is drawn again.
    mutating func say(_ line: String) {
        clear()
        output.say(line)
    }

    /// Takes the line that is drawn again away.
    mutating func clear() {
        guard isDrawn else { return }
        output.write("\r\u{1b}[K")
        isDrawn = false
    }
}
