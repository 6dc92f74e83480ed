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
    /// Whether it is opened ahead, while another item still plays: no output is its own yet.
    var isAhead = false
    /// To be answered once the conductor has acted on the wishes so far.
    var wishReplies: [Reply<Void>] = []

    // MARK: The place, set by commands; `landing` by whoever finds it

    /// Counts seeks.
    var generation = 0
    /// Where this generation is to begin, in item time.
    var target: Double
    /// What is to be seen there.
    var aim = SeekAim.exact
    /// Where this generation does begin; nil until known.
    var landing: Double?
    /// Who waits for this generation's picture, and where they came from.
    var seek: (reply: Reply<SeekOutcome>, from: Double, reason: TimeJump.Reason)?

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
    /// Begins a new generation, from what is held where that reaches.
    /// - Returns: whether there is one: what cannot seek goes only where is held what is to be played.
    mutating func beginGeneration(at position: Double, aim: SeekAim) -> Bool {
        let place = sourceIsThere ? source.packets.go(to: position, aim: aim) : nil
        guard place != nil || source.media?.isSeekable != false else { return false }
        generation += 1
        target = position
        self.aim = aim
        if let place {
            source.generation = generation
            // A key frame near enough: nothing is to be decoded on the way.
            if place != position { (target, self.aim) = (place, .exact) }
        }
        landing = self.aim.isExact || !source.hasPictures ? target : nil
        pictures.beginGeneration()
        sound.beginGeneration()
        return true
    }

    /// Frees what only a playing item needs.
    mutating func letGo() {
        source.packets.removeAll()
        pictures.line.removeAll()
        pictures.handed = nil
    }
}
