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
        if state.expectsPicture, !state.presentation.pictureIsUp {
            if let handed = state.pictures.handed {
                let limit = handed.due.advanced(by: Self.longestShowing)
                guard now >= limit else { return .wait(until: limit) }
                state.pictures.handed = nil
                state.presentation.pictureIsUp = true
                item.wakeThoseAtRest()
            } else if state.sound.silencedFor == state.generation, let picture = state.pictures.line.popFirst() {
                // The first picture goes up at once: it is what people wait for. Sound may still be on its way.
                item.wake(.video)
                state.pictures.handed = (picture, now)
                return .done(.present(picture, due: now))
            }
        }
        let pictureIsReady = state.presentation.pictureIsUp || !state.expectsPicture
        let soundIsReady = state.sound.isReady || !state.source.hasSound
        if pictureIsReady, !state.presentation.isAnswered, state.presentation.pictureIsUp || soundIsReady {
            if let failure = state.emptiness {
                state.source.failure = failure
                return .done(.lookAgain)
            }
            state.presentation.isAnswered = true
            state.presentation.clock.set(position: state.landing ?? state.target)
            return .done(.answer(takeSeek(&state, now: now)))
        }
        guard pictureIsReady, soundIsReady else { return waitForLoad(&state, now: now) }
        state.answerChanges()
        state.presentation.phase = .standing
        return .done(.lookAgain)
    }

    private func waitForLoad(_ state: inout Pipeline, now: HostTime) -> Monitor<Pipeline>.Step<Action> {
        guard state.generation == 0 || state.source.media == nil, !state.presentation.isAnswered else { return .wait() }
        guard now >= loadDeadline else { return .wait(until: loadDeadline) }
        // What has to come whole takes its time, and is watched where it is read.
        guard !item.supply.isBeingSpooled else { return .wait() }
        state.source.failure = CastError(
            .timedOut, "The media took too long to start.", hint: "Check the network and the server that has it.")
        return .done(.lookAgain)
    }

    private func takeSeek(_ state: inout Pipeline, now: HostTime) -> SeekAnswer? {
        defer { state.seek = nil }
        return state.seek.map {
            SeekAnswer(
                reply: $0.reply, from: $0.from, to: state.timeline(at: now).position, reason: $0.reason)
        }
    }

    // MARK: Moving

    func move(_ state: inout Pipeline, now: HostTime) -> Monitor<Pipeline>.Step<Action> {
        if state.rate == 0 { return .done(halt(&state, now: now)) }
        if let action = keepClock(&state, now: now) { return .done(action) }
        guard state.presentation.clock.isRunning else { return .wait(until: now.advanced(by: 0.004)) }
        let clock = state.presentation.clock.timeline(at: now)
        if toldRate != clock.effectiveRate {
            let isFirst = toldRate == nil
            toldRate = clock.effectiveRate
            if !isFirst { state.presentation.pacer.restart() }
            return .done(.tell(.changed))
        }
        var deadline = lastTick.advanced(by: Self.tick)
        if now >= deadline {
            lastTick = now
            return .done(.tell(.progressed))
        }
        if state.presentation.isPastEnd { return .wait(until: deadline) }
        if let end = state.end {
            guard clock.position < end - 0.001 else { return .done(self.end(&state, at: end, now: now)) }
            deadline = min(deadline, now.advanced(by: (end - clock.position) / clock.effectiveRate + 0.001))
        }
        if let action = stall(&state, clock: clock, now: now, deadline: &deadline) { return .done(action) }
        if let action = pace(&state, now: now, deadline: &deadline) { return .done(action) }
        return .wait(until: deadline)
    }

    private func keepClock(_ state: inout Pipeline, now: HostTime) -> Action? {
        guard state.source.hasSound, !state.presentation.isPastEnd, let ring = state.sound.ring else {
            if state.presentation.clock.timeline(at: now).effectiveRate != state.rate {
                state.presentation.clock.run(at: state.rate, from: now)
            }
            return nil
        }
        // After a break the ring is never over, but what was made of the sound may well have been pulled.
        let isPulled = ring.isOver || ring.waiting == 0
        if isPulled, let end = state.sound.end, state.presentation.clock.position(at: now) >= end - 0.000_5 {
            // Past the last sample there is nothing to follow: what is left of the pictures runs by itself.
            if state.presentation.clock.timeline(at: now).effectiveRate != state.rate {
                state.presentation.clock.run(at: state.rate, from: now)
            }
            return nil
        }
        if let reading = ring.reading {
            var format = ring.format
            format.latency += item.settings.audioDelay
            state.presentation.clock.follow(reading, timeline: state.sound.samples, format: format, now: now)
            state.sound.samples.forget(before: reading.before - ring.format.sampleRate)
        }
        if state.presentation.clock.awaitsSound, ring.isOver {
            // Halted with its last samples on their way to the loudspeaker: nothing more is pulled of it.
            state.presentation.clock.run(at: state.rate, from: now)
            return nil
        }
        guard state.presentation.clock.awaitsSound, now.seconds(since: soundStart) > Self.longestSoundStart else {
            return nil
        }
        soundStart = now
        return .giveUpDevice
    }

    private func halt(_ state: inout Pipeline, now: HostTime) -> Action {
        state.presentation.clock.stop(at: now)
        state.presentation.phase = .standing
        state.pictures.putBackHanded()
        toldRate = nil
        return .halt
    }

    private func stall(
        _ state: inout Pipeline, clock: Timeline, now: HostTime, deadline: inout HostTime
    ) -> Action? {
        guard state.sourceIsThere, state.source.packets.mayTakeMore else { return nil }
        var outputIsDry = false
        if state.pictures.starve, !state.pictures.areAbsent, state.pictures.line.isEmpty, state.pictures.handed == nil,
            let shown = state.pictures.shown
        {
            let end = shown.time + shown.duration
            outputIsDry = clock.position >= end
            deadline = min(deadline, now.advanced(by: max(0.001, (end - clock.position) / clock.effectiveRate)))
        }
        if state.sound.starves, let ring = state.sound.ring {
            outputIsDry = outputIsDry || ring.waiting == 0
            let rest = Double(ring.waiting) / Double(ring.format.sampleRate)
            deadline = min(deadline, now.advanced(by: max(0.005, rest)))
        }
        guard BufferingPolicy.hasRunDry(sourceDry: true, outputDry: outputIsDry) else { return nil }
        _ = halt(&state, now: now)
        state.presentation.statistics.stalls += 1
        state.presentation.policy.noteStall(at: now)
        let waits = state.presentation.waits
        state.presentation.hasStalled = waits
        state.presentation.waitsForBuffer = waits
        if !waits { state.rate = 0 }
        return .stall(pauses: !waits)
    }

    private func pace(_ state: inout Pipeline, now: HostTime, deadline: inout HostTime) -> Action? {
        let clock = state.presentation.clock.course(at: now)
        if let handed = state.pictures.handed {
            let limit = handed.due.advanced(by: Self.longestShowing)
            guard now >= limit else {
                deadline = min(deadline, limit)
                return nil
            }
            // The output never said that it came up; it will not now.
            state.pictures.handed = nil
        }
        while let picture = state.pictures.line.first {
            let time = picture.frame.presentationTime
            var decision = state.presentation.pacer.decide(
                time: time, duration: picture.duration, clock: clock, now: now)
            // However late, the very last picture is shown: it is the one that stays.
            if decision == .drop, state.pictures.end != nil, state.pictures.line.count == 1 {
                decision = .show(at: now)
            }
            switch decision {
            case .wait(let instant):
                deadline = min(deadline, instant)
                return nil
            case .drop:
                _ = state.pictures.line.popFirst()
                state.presentation.pacer.passed(
                    time: time, due: state.presentation.pacer.due(time: time, duration: picture.duration, clock: clock))
                state.presentation.statistics.droppedFrames += 1
                item.wake(.video)
            case .show(let due):
                _ = state.pictures.line.popFirst()
                state.presentation.pacer.passed(time: time, due: due)
                state.pictures.handed = (picture, due)
                item.wake(.video)
                return .present(picture, due: due)
            }
        }
        return nil
    }
}
