internal import Casting
internal import Media

/// What the conductor does before the first picture of a generation is up, and while playback moves.
extension Conductor {
    /// Seconds to wait at most for an output to say that a picture is up.
    private static let longestShowing = 1.0
    /// Seconds that a device may take before it pulls its first samples; sound servers have been seen to take two.
    private static let longestSoundStart = 5.0
    /// How often figures are told, in seconds.
    private static let tick = 1.0

    // MARK: Preparing

    func prepare(_ state: inout Pipeline, now: HostTime) -> Monitor<Pipeline>.Step<Action> {
        guard state.sourceIsThere else { return waitForLoad(&state, now: now) }
        if state.expectsPicture, !state.pictureIsUp {
            if let handed = state.handed {
                let limit = handed.due.advanced(by: Self.longestShowing)
                guard now >= limit else { return .wait(until: limit) }
                state.handed = nil
                state.pictureIsUp = true
            } else if state.silencedFor == state.generation, let picture = state.pictures.popFirst() {
                // The first picture goes up at once: it is what people wait for. Sound may still be on its way.
                item.wake(.video)
                state.handed = (picture, now)
                return .done(.present(picture, due: now))
            }
        }
        let pictureIsReady = state.pictureIsUp || !state.expectsPicture
        let soundIsReady = state.soundIsReady || !state.hasSound
        if pictureIsReady, !state.isAnswered, state.pictureIsUp || soundIsReady {
            if let failure = state.emptiness {
                state.failure = failure
                return .done(.lookAgain)
            }
            state.isAnswered = true
            state.clock.set(position: state.landing ?? state.target)
            return .done(.answer(takeSeek(&state, now: now)))
        }
        guard pictureIsReady, soundIsReady else { return waitForLoad(&state, now: now) }
        state.phase = .standing
        return .done(.lookAgain)
    }

    private func waitForLoad(_ state: inout Pipeline, now: HostTime) -> Monitor<Pipeline>.Step<Action> {
        guard state.generation == 0 || state.media == nil, !state.isAnswered else { return .wait() }
        guard now >= loadDeadline else { return .wait(until: loadDeadline) }
        state.failure = CastError(
            .timedOut, "The media took too long to start.", hint: "Check the network and the server that has it.")
        return .done(.lookAgain)
    }

    private func takeSeek(_ state: inout Pipeline, now: HostTime) -> SeekAnswer? {
        defer { state.seek = nil }
        return state.seek.map { SeekAnswer(reply: $0.reply, from: $0.from, to: state.timeline(at: now).position) }
    }

    // MARK: Moving

    func move(_ state: inout Pipeline, now: HostTime) -> Monitor<Pipeline>.Step<Action> {
        if state.rate == 0 { return .done(halt(&state, now: now)) }
        if let action = keepClock(&state, now: now) { return .done(action) }
        guard state.clock.isRunning else { return .wait(until: now.advanced(by: 0.004)) }
        let clock = state.clock.timeline(at: now)
        if toldRate != clock.effectiveRate {
            let isFirst = toldRate == nil
            toldRate = clock.effectiveRate
            if !isFirst { state.pacer.restart() }
            return .done(.tell(.changed))
        }
        var deadline = lastTick.advanced(by: Self.tick)
        if now >= deadline {
            lastTick = now
            return .done(.tell(.progressed))
        }
        if let end = state.end {
            guard clock.position < end - 0.001 else { return .done(self.end(&state, now: now)) }
            deadline = min(deadline, now.advanced(by: (end - clock.position) / clock.effectiveRate + 0.001))
        }
        if let action = stall(&state, clock: clock, now: now, deadline: &deadline) { return .done(action) }
        if let action = pace(&state, clock: clock, now: now, deadline: &deadline) { return .done(action) }
        return .wait(until: deadline)
    }

    private func keepClock(_ state: inout Pipeline, now: HostTime) -> Action? {
        guard state.hasSound, let ring = state.ring else {
            if state.clock.timeline(at: now).effectiveRate != state.rate { state.clock.run(at: state.rate, from: now) }
            return nil
        }
        if let reading = ring.reading {
            var format = ring.format
            format.latency += item.settings.audioDelay
            state.clock.follow(reading, timeline: state.samples, format: format, now: now)
            state.samples.forget(before: reading.before - ring.format.sampleRate)
        }
        guard state.clock.awaitsSound, now.seconds(since: soundStart) > Self.longestSoundStart else { return nil }
        soundStart = now
        return .giveUpDevice(ring)
    }

    private func halt(_ state: inout Pipeline, now: HostTime) -> Action {
        state.clock.stop(at: now)
        state.phase = .standing
        state.putBackHanded()
        toldRate = nil
        return .halt
    }

    private func end(_ state: inout Pipeline, now: HostTime) -> Action {
        state.clock.stop(at: now)
        if case .broken(let error) = state.packets.end {
            state.failure = error
            return .lookAgain
        }
        state.phase = .over
        return .end
    }

    private func stall(
        _ state: inout Pipeline, clock: Timeline, now: HostTime, deadline: inout HostTime
    ) -> Action? {
        guard state.sourceIsThere, state.packets.mayTakeMore else { return nil }
        var outputIsDry = false
        if state.picturesStarve, !state.picturesAreAbsent, state.pictures.isEmpty, state.handed == nil,
            let shown = state.shown
        {
            let end = shown.time + shown.duration
            outputIsDry = clock.position >= end
            deadline = min(deadline, now.advanced(by: max(0.001, (end - clock.position) / clock.effectiveRate)))
        }
        if state.soundStarves, let ring = state.ring {
            outputIsDry = outputIsDry || ring.waiting == 0
            let rest = Double(ring.waiting) / Double(ring.format.sampleRate)
            deadline = min(deadline, now.advanced(by: max(0.005, rest)))
        }
        guard BufferingPolicy.hasRunDry(sourceDry: true, outputDry: outputIsDry) else { return nil }
        _ = halt(&state, now: now)
        state.hasStalled = true
        state.waitsForBuffer = true
        state.statistics.stalls += 1
        state.policy.noteStall(at: now)
        return .stall
    }

    private func pace(
        _ state: inout Pipeline, clock: Timeline, now: HostTime, deadline: inout HostTime
    ) -> Action? {
        if let handed = state.handed {
            let limit = handed.due.advanced(by: Self.longestShowing)
            guard now >= limit else {
                deadline = min(deadline, limit)
                return nil
            }
            // The output never said that it came up; it will not now.
            state.handed = nil
        }
        while let picture = state.pictures.first {
            let time = picture.frame.presentationTime
            var decision = state.pacer.decide(time: time, duration: picture.duration, clock: clock, now: now)
            // However late, the very last picture is shown: it is the one that stays.
            if decision == .drop, state.picturesEnd != nil, state.pictures.count == 1 { decision = .show(at: now) }
            switch decision {
            case .wait(let instant):
                deadline = min(deadline, instant)
                return nil
            case .drop:
                _ = state.pictures.popFirst()
                state.pacer.passed(
                    time: time, due: state.pacer.due(time: time, duration: picture.duration, clock: clock))
                state.statistics.droppedFrames += 1
                item.wake(.video)
            case .show(let due):
                _ = state.pictures.popFirst()
                state.pacer.passed(time: time, due: due)
                state.handed = (picture, due)
                item.wake(.video)
                return .present(picture, due: due)
            }
        }
        return nil
    }
}

extension Pipeline {
    /// Whether there is a stream for sound.
    var hasSound: Bool { media?.choice.audio != nil }

    /// Whether a picture of this generation will come before long.
    var expectsPicture: Bool {
        guard media?.choice.video != nil, !picturesAreAbsent else { return false }
        return picturesEnd == nil || !pictures.isEmpty || handed != nil || pictureIsUp
    }

    /// What is wrong with an item that gives neither picture nor sound; nil if it gives any.
    var emptiness: CastError? {
        guard !pictureIsUp, soundEnd != nil || !hasSound, (soundEnd ?? 0) <= (landing ?? target) else { return nil }
        if case .broken(let error) = packets.end { return error }
        guard target == 0 else { return nil }
        return CastError(
            .fileFailedToParse, "There is nothing in it that can be played.", hint: "The file may be incomplete.")
    }

    /// The item time at which all is over; nil while that is not known, or a picture is still to come.
    var end: Double? {
        guard sourceIsThere, packets.end != nil, pictures.isEmpty, handed == nil else { return nil }
        var end = 0.0
        if media?.choice.video != nil {
            guard let picturesEnd else { return nil }
            end = picturesEnd
        }
        if hasSound {
            guard let soundEnd else { return nil }
            end = max(end, soundEnd)
        }
        return end
    }

    /// Takes back what was handed to the output and is not up, for later.
    mutating func putBackHanded() {
        guard let handed else { return }
        pictures.prepend(handed.picture)
        self.handed = nil
    }

    /// Notes that a picture came up.
    /// - Returns: whether the conductor is to know.
    mutating func noteShown(_ picture: QueuedPicture, at instant: HostTime) -> Bool {
        guard picture.generation == generation else { return false }
        if handed?.picture.number == picture.number {
            handed = nil
        } else if pictures.first?.number == picture.number {
            // Taken back too late.
            _ = pictures.popFirst()
        }
        shown = (picture.frame.presentationTime, picture.duration, picture.generation)
        pictureIsUp = true
        pacer.shown(at: instant)
        statistics.displayedFrames += 1
        if phase == .running, hasSound, clock.isRunning {
            let offset = clock.position(at: instant) - picture.frame.presentationTime
            let mean = statistics.audioVideoOffset ?? offset
            // A running mean over some fifty pictures.
            statistics.audioVideoOffset = mean + (offset - mean) / 50
        }
        return true
    }
}
