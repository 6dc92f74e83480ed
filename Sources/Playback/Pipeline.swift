internal import Casting

/// The threads of a playing item, as what each waits on.
enum PipelineThread: Int {
    case source, video, audio, conductor
}

/// Everything that the threads of one playing item share. Guarded by one monitor.
///
/// Data goes one way: packets (source → decoders), pictures and samples (decoders → conductor). Wishes come from the
/// player's commands; the conductor alone starts, stops and ends things. Each seek begins a new generation; what belongs to
/// an older one is thrown away wherever it is met.
struct Pipeline {
    // MARK: Wishes, set by commands

    /// Set once, when the item is to go away.
    var isClosed = false
    /// Whether the screen is to be cleared and the device given back.
    var darkens = false
    /// The rate to play at; 0 stands still.
    var rate: Double
    /// To be answered once the conductor has acted on the wishes so far.
    var wishReplies: [Reply<Void>] = []

    // MARK: The place, set by commands; `landing` by whoever finds it

    /// Counts seeks.
    var generation = 0
    /// Where this generation is to begin, in item time.
    var target: Double
    /// How much before the target will do.
    var tolerance = 0.0
    /// Where this generation does begin; nil until known.
    var landing: Double?
    /// Who waits for this generation's picture, and where they came from.
    var seek: (reply: Reply<SeekOutcome>, from: Double)?

    // MARK: The rooms of the threads

    var source = Source()
    var pictures = Pictures()
    var sound = Sound()
    var presentation: Presentation

    /// An item that is to begin at `position`.
    init(position: Double, rate: Double) {
        self.rate = rate
        target = position
        presentation = Presentation(position: position)
    }
}

extension Pipeline {
    /// Begins a new generation.
    mutating func beginGeneration(at position: Double, tolerance: Double) {
        generation += 1
        target = position
        self.tolerance = tolerance
        landing = tolerance == 0 || !source.hasPictures ? position : nil
        pictures.beginGeneration()
        sound.beginGeneration()
    }

    /// Frees what only a playing item needs.
    mutating func letGo() {
        source.packets.removeAll()
        pictures.line.removeAll()
        pictures.handed = nil
    }
}
