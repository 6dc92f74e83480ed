internal import Casting
internal import Media

/// The threads of a playing item, as what each waits on.
enum PipelineThread: Int {
    case source, video, audio, conductor
}

/// A decoded picture in line.
struct QueuedPicture: Sendable {
    var frame: VideoFrame
    /// Seconds of item time it is to be seen.
    var duration: Double
    /// Tells it from every other picture of the item.
    var number: Int
    /// The seek it belongs to.
    var generation: Int
}

/// What is known of an item once it is open.
struct OpenedMedia: Sendable {
    var container: String
    var streams: [MediaStream]
    var choice: TrackChoice
    var duration: Double?
    var isLive: Bool
    var isSeekable: Bool
    var title: String?
    var artist: String?
    var traffic: Traffic

    /// The stream of an index.
    func stream(_ index: Int?) -> MediaStream? { streams.first { $0.index == index } }

    /// Where one may seek.
    var seekableRanges: [TimeRange] {
        guard isSeekable, !isLive, let duration else { return [] }
        return [TimeRange(start: 0, end: duration)]
    }
}

/// Everything that the threads of one playing item share. Guarded by one monitor.
///
/// Data goes one way: packets (source → decoders), pictures and samples (decoders → conductor). Wishes come from the
/// player's commands; the conductor alone starts, stops and ends things. Each seek begins a new generation; what belongs to
/// an older one is thrown away wherever it is met.
struct Pipeline {
    /// How far the conductor is.
    enum Phase: Equatable {
        /// Making the first picture and the first samples of a generation.
        case preparing
        /// They are there; playback stands, paused or waiting for buffer.
        case standing
        /// Playback moves.
        case running
        /// The item ended or failed.
        case over
    }

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

    // MARK: Source, set by its thread

    var media: OpenedMedia?
    var cancellation = Cancellation()
    var packets = PacketBuffer<Packet>(streams: [], limits: .init(bytes: 0, seconds: 0))
    /// The generation that `packets` belongs to; less than `generation` while the source is still on its way there.
    var sourceGeneration = 0
    /// Why the item cannot be played; final.
    var failure: CastError?

    // MARK: Pictures, set by their decoder's thread; `handed` and `shown` by the conductor and the output

    var pictures = Fifo<QueuedPicture>()
    var lastPictureNumber = 0
    /// The item time at which the last picture's time is over, once the decoder has given all.
    var picturesEnd: Double?
    /// Whether no picture is to be expected for now: the stream begins later, or has a hole.
    var picturesAreAbsent = false
    /// Whether the decoder waits for packets.
    var picturesStarve = false
    /// The picture handed to the output and not up yet.
    var handed: (picture: QueuedPicture, due: HostTime)?
    /// The picture that is up.
    var shown: (time: Double, duration: Double, generation: Int)?

    // MARK: Sound, set by its decoder's thread; `silencedFor` by the conductor

    var ring: AudioRing?
    var samples = SampleTimeline(sampleRate: 48_000)
    /// The generation for which the device was stopped, so that the ring may be emptied.
    var silencedFor = -1
    /// Whether enough samples of this generation are there to begin with.
    var soundIsReady = false
    /// Whether the decoder waits for packets.
    var soundStarves = false
    /// The item time at which sound ends, once the decoder has given all.
    var soundEnd: Double?

    // MARK: Presentation, set by the conductor

    var phase = Phase.preparing
    /// The generation that the conductor is busy with.
    var conductedGeneration = -1
    var clock: PlaybackClock
    var pacer = FramePacer()
    var policy = BufferingPolicy()
    /// Whether a picture of this generation has come up, or is not waited for any longer.
    var pictureIsUp = false
    /// Whether this generation has been answered for.
    var isAnswered = false
    /// Whether playback ran dry and has not gone on since.
    var hasStalled = false
    /// Whether playback waits for more to be buffered.
    var waitsForBuffer = false
    var statistics = PlaybackStatistics()

    /// An item that is to begin at `position`.
    init(position: Double, rate: Double) {
        self.rate = rate
        target = position
        clock = PlaybackClock(position: position)
    }
}

extension Pipeline {
    /// Begins a new generation.
    mutating func beginGeneration(at position: Double, tolerance: Double) {
        generation += 1
        target = position
        self.tolerance = tolerance
        landing = tolerance == 0 || media?.choice.video == nil ? position : nil
        pictures.removeAll()
        picturesEnd = nil
        picturesAreAbsent = false
        picturesStarve = false
        soundIsReady = false
        soundStarves = false
        soundEnd = nil
    }

    /// Frees what only a playing item needs.
    mutating func letGo() {
        packets.removeAll()
        pictures.removeAll()
        handed = nil
    }

    /// Whether packets of the present generation are to be had.
    var sourceIsThere: Bool { sourceGeneration == generation && media != nil }

    /// Whether nothing of a stream is to be expected although reading goes on: its data begins later, or is further
    /// away in the file than the buffer reaches.
    ///
    /// - Parameters:
    ///   - time: the item time up to which the stream has come.
    ///   - waited: seconds since it ran out of packets.
    func isAbsent(_ stream: Int, at time: Double, waited: Double) -> Bool {
        guard packets.isEmpty(stream) else { return false }
        if packets.isFull || packets.end != nil { return true }
        guard let others = packets.othersReadUpTo(stream) else { return false }
        return others - time >= 1 && waited >= 0.5
    }

    /// What is buffered, for the policy.
    func level(at now: HostTime) -> BufferingPolicy.Level {
        let position = clock.position(at: now)
        let duration = media?.duration
        // A first figure made of few bytes says more about the first answer's delay than about the source.
        let traffic = media?.traffic
        let measured = (traffic?.byteCount ?? 0) >= 256 << 10
        return BufferingPolicy.Level(
            ahead: max(0, (packets.readUpTo ?? position) - position),
            remaining: media?.isLive == true ? nil : duration.map { max(0, $0 - position) },
            endRead: sourceIsThere && packets.end != nil, full: packets.isFull,
            throughput: measured ? traffic?.bytesPerSecond : nil, byteRate: packets.byteRate,
            rate: rate == 0 ? 1 : rate)
    }

    /// Where playback is, for people: while it stands, the time of the picture that is up.
    func timeline(at now: HostTime) -> Timeline {
        var timeline = clock.timeline(at: now)
        if phase != .running {
            timeline.effectiveRate = 0
            // A slide that stays for seconds says nothing about the position.
            if let shown, shown.generation == conductedGeneration, shown.duration <= 0.1,
                abs(timeline.position - shown.time) <= 2 * shown.duration
            {
                timeline.position = shown.time
            }
        }
        // The sound's last samples may last a little longer than the media says it does.
        if phase != .running, let duration = media?.duration, timeline.position - duration < 0.1 {
            timeline.position = min(timeline.position, duration)
        }
        timeline.position = max(0, timeline.position)
        return timeline
    }
}
