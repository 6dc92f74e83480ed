public import Casting

/// Something to read over the film, and when.
public struct SubtitleCue: Sendable {
    /// Item time from which it is up, in seconds.
    public var start: Double
    /// Item time at which it goes, in seconds; nil where only the next cue of its stream takes it down.
    public var end: Double?
    /// What is up.
    public var content: Content

    /// What a cue shows.
    public enum Content: Sendable {
        /// Events of an ASS script as libass's `ass_process_chunk` takes them: `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
        case text([String])
        /// Bitmaps that stand on a canvas of a size of its own, which is laid over the whole picture; its size is nil where
        /// it is the picture's. Without bitmaps: what is up goes.
        case bitmaps([SubtitleBitmap], canvas: Size?)
    }

    /// A cue of some content.
    public init(start: Double, end: Double?, content: Content) {
        self.start = start
        self.end = end
        self.content = content
    }

    /// Bytes it takes in memory, about.
    public var byteCount: Int {
        switch content {
        case .text(let lines): lines.reduce(64) { $0 + $1.utf8.count }
        case .bitmaps(let bitmaps, _): bitmaps.reduce(64) { $0 + $1.indices.count + 1024 }
        }
    }

    /// Whether it only takes down what is up.
    public var isEmpty: Bool {
        switch content {
        case .text(let lines): lines.isEmpty
        case .bitmaps(let bitmaps, _): bitmaps.isEmpty
        }
    }
}

/// A bitmap of at most 256 colours on its canvas.
public struct SubtitleBitmap: Sendable {
    /// Pixels from the canvas's left edge.
    public var x: Int
    /// Pixels from the canvas's top edge.
    public var y: Int
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int
    /// A colour's place in `palette` for each pixel, a row after the other.
    public var indices: [UInt8]
    /// 256 colours 0xAARRGGBB, not premultiplied.
    public var palette: [UInt32]

    /// A bitmap of `width * height` pixels.
    public init(x: Int, y: Int, width: Int, height: Int, indices: [UInt8], palette: [UInt32]) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.indices = indices
        self.palette = palette
    }
}

/// How the cues of a stream are to be read.
public struct SubtitleScript: Sendable, Hashable {
    /// The head of the ASS script that text cues belong to: its size and its styles.
    public var header: String
    /// Whether the styles are its author's, and not to be changed.
    public var isStyled: Bool
    /// Whether, of several cues at a time, the first is to stand at the bottom (as WebVTT has it) rather than on top.
    public var stacksUpwards: Bool
    /// Whether each cue takes down the one before.
    public var replaces: Bool

    /// What is to be known of a stream's cues.
    public init(header: String, isStyled: Bool = false, stacksUpwards: Bool = false, replaces: Bool = false) {
        self.header = header
        self.isStyled = isStyled
        self.stacksUpwards = stacksUpwards
        self.replaces = replaces
    }
}

/// A font that comes with the media.
public struct AttachedFont: Sendable, Hashable {
    /// Its file's name.
    public var name: String
    /// The font file.
    public var bytes: [UInt8]

    /// A font file.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
