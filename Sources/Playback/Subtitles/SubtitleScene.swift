public import Casting
public import Media

/// The text that belongs over a picture: a plain value, the same for the same facts.
public struct SubtitleScene: Sendable {
    /// Tells scenes apart: the same key, the same look, unless it moves.
    public struct Key: Hashable, Sendable {
        /// The stream or file.
        public var source: Int
        /// The cues that are up.
        public var cues: [Int]

        /// The key of some cues of a source.
        public init(source: Int, cues: [Int] = []) {
            self.source = source
            self.cues = cues
        }
    }

    /// What there is to draw.
    public enum Content: Sendable {
        /// Nothing.
        case none
        /// Plain text: events of a script for these cues alone, in the order in which they are to be given to libass.
        case text([String])
        /// An author's script, of which all events known so far are there, and where in it one is; it may move.
        case script([ScriptEvent], time: Double)
        /// Bitmaps on a canvas; nil where that is the picture's own size.
        case bitmaps([SubtitleBitmap], canvas: Size?)
    }

    /// Which one it is.
    public var key: Key
    /// What there is to draw.
    public var content: Content
    /// How the text is to be read.
    public var script: SubtitleScript
    /// The fonts that come with the media.
    public var fonts: AttachedFonts
    /// How people want it.
    public var settings: SubtitleSettings

    /// A scene of some content.
    public init(
        key: Key, content: Content, script: SubtitleScript, fonts: AttachedFonts = .none,
        settings: SubtitleSettings = SubtitleSettings()
    ) {
        self.key = key
        self.content = content
        self.script = script
        self.fonts = fonts
        self.settings = settings
    }

    /// Whether there is nothing to draw.
    public var isEmpty: Bool {
        if case .none = content { return true }
        return false
    }
}

/// An event of an author's script with its time.
public struct ScriptEvent: Sendable {
    /// As libass's `ass_process_chunk` takes it.
    public var text: String
    /// Item time in seconds.
    public var start: Double
    /// Seconds.
    public var duration: Double

    /// An event of so many seconds.
    public init(text: String, start: Double, duration: Double) {
        self.text = text
        self.start = start
        self.duration = duration
    }
}

/// Fonts that come with media; the same object, the same fonts.
public final class AttachedFonts: Sendable {
    /// The files.
    public let fonts: [AttachedFont]
    /// No fonts.
    public static let none = AttachedFonts([])

    /// Some files.
    public init(_ fonts: [AttachedFont]) {
        self.fonts = fonts
    }
}

/// Where the screen asks what text belongs over a picture.
public protocol SubtitleSource: AnyObject, Sendable {
    /// The text at an item time, in seconds; nil where none is chosen. From any thread, at once.
    func scene(at time: Double) -> SubtitleScene?

    /// The next item time at which it is another; nil where it stays. For where no picture asks.
    func nextChange(after time: Double) -> Double?
}
