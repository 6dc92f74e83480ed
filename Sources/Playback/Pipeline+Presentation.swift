internal import Casting
internal import Media

extension Pipeline {
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

    /// What is seen and heard, and when. Set by the conductor.
    struct Presentation {
        var phase = Phase.preparing
        /// Whether it goes on where the item before ends: the device pulls its samples already.
        var joins = false
        /// The generation that the conductor is busy with.
        var generation = -1
        var clock: PlaybackClock
        var pacer = FramePacer()
        var policy = BufferingPolicy()
        /// Whether a picture of this generation has come up, or is not waited for any longer.
        var pictureIsUp = false
        /// Whether this generation has been answered for.
        var isAnswered = false
        /// Whether the item's first picture came up after all had been told of it.
        var owesPicture = false
        /// Whether playback ran dry and has not gone on since.
        var hasStalled = false
        /// Whether playback waits for more to be buffered.
        var waitsForBuffer = false
        /// Since when it is being found out whether the buffer will do; nil while it is not.
        var evaluatingSince: HostTime?
        /// Whether the item was played to its end, and has not been left since.
        var isPastEnd = false
        /// Whether the position counts on past the end.
        var countsOn = false
        /// Whether playback waits, to minimize stalling, for more than the first instant. Set by commands.
        var waits = true
        /// Whether to play what is there for once. Set by commands.
        var playsAtOnce = false
        var statistics = PlaybackStatistics()

        /// Stands at `position`.
        init(position: Double) {
            clock = PlaybackClock(position: position)
        }
    }

    /// What is wrong with an item that gives neither picture nor sound; nil if it gives any.
    var emptiness: CastError? {
        guard !presentation.pictureIsUp, sound.end != nil || !source.hasSound,
            (sound.end ?? 0) <= (landing ?? target)
        else { return nil }
        if let error = source.packets.end?.error { return error }
        guard target == 0 else { return nil }
        return CastError(
            .fileFailedToParse, "There is nothing in it that can be played.", hint: "The file may be incomplete.")
    }

    /// The item time at which all is over; nil while that is not known, or a picture is still to come.
    var end: Double? {
        pictures.line.isEmpty && pictures.handed == nil ? lastMoment : nil
    }

    /// The item time at which the last picture and the last sound end; nil while that is not known.
    var lastMoment: Double? {
        guard sourceIsThere, source.packets.end != nil else { return nil }
        var end = 0.0
        if source.hasPictures {
            guard let picturesEnd = pictures.end else { return nil }
            end = picturesEnd
        }
        if source.hasSound {
            guard let soundEnd = sound.end else { return nil }
            end = sound.cutsPictures ? soundEnd : max(end, soundEnd)
        }
        return end
    }

    /// What keeps the item from playing.
    var obstacle: TimeControl.Obstacle? {
        if presentation.phase == .running, presentation.clock.isRunning { return nil }
        if presentation.isPastEnd { return nil }
        return presentation.waitsForBuffer || presentation.hasStalled ? .buffering : .evaluating
    }

    /// Where playback is, for people: while it stands, the time of the picture that is up.
    func timeline(at now: HostTime) -> Timeline {
        var timeline = presentation.clock.timeline(at: now)
        let phase = presentation.phase
        if phase != .running {
            timeline.effectiveRate = 0
            // A slide that stays for seconds says nothing about the position, and neither does the last picture at the end.
            if !presentation.isPastEnd, let shown = pictures.shown, shown.generation == presentation.generation,
                shown.duration <= 0.1,
                // A machine that is too slow is further behind; past the last picture only the clock knows.
                abs(timeline.position - shown.time) <= max(2 * shown.duration, pictures.end == nil ? 0.25 : 0)
            {
                timeline.position = shown.time
            }
        }
        // The sound's last samples may last a little longer than the media says it does.
        if phase != .running, let duration = source.media?.duration, timeline.position - duration < 0.1 {
            timeline.position = min(timeline.position, duration)
        }
        // That it is over shows a moment late, once the last picture is up.
        if !presentation.countsOn, let lastMoment { timeline.position = min(timeline.position, lastMoment) }
        timeline.position = max(0, timeline.position)
        return timeline
    }
}

extension Pipeline.Presentation {
    /// Stands still, for a new generation.
    mutating func beginGeneration(_ generation: Int, at now: HostTime) {
        self.generation = generation
        clock.stop(at: now)
        phase = .preparing
        pictureIsUp = false
        isAnswered = false
        hasStalled = false
        waitsForBuffer = false
        evaluatingSince = nil
        isPastEnd = false
        countsOn = false
    }

    /// Moves at once, by the sound that is already being heard.
    mutating func join(_ generation: Int, at position: Double, now: HostTime) {
        self.generation = generation
        joins = false
        phase = .running
        isAnswered = true
        clock.set(position: position)
        clock.runBySound(from: HostTime(nanoseconds: 0))
        pacer.restart()
    }

    /// Notes that a picture of the present generation came up.
    /// - Parameter bySound: whether the clock runs by sound, so that its offset from the pictures says something.
    mutating func noteShown(_ picture: QueuedPicture, at instant: HostTime, bySound: Bool) {
        pictureIsUp = true
        pacer.shown(at: instant)
        statistics.displayedFrames += 1
        guard phase == .running, bySound, clock.isRunning else { return }
        let offset = clock.position(at: instant) - picture.frame.presentationTime
        let mean = statistics.audioVideoOffset ?? offset
        // A running mean over some fifty pictures.
        statistics.audioVideoOffset = mean + (offset - mean) / 50
    }
}
