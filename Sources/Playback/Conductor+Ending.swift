internal import Casting
internal import Media

/// What the conductor does at an item's end, and when it may begin to move.
extension Conductor {
    /// Seconds that it may take to find out whether the buffer will do, before people are told that it waits.
    private static let longestEvaluation = 3.0

    /// Starts playback once the buffer allows it.
    func stand(_ state: inout Pipeline, now: HostTime) -> Monitor<Pipeline>.Step<Action> {
        guard state.rate != 0 else {
            state.presentation.evaluatingSince = nil
            return .wait()
        }
        if state.presentation.isPastEnd { return run(&state, now: now) }
        if state.presentation.playsAtOnce {
            state.presentation.playsAtOnce = false
            if state.hasSomething(at: now) { return run(&state, now: now) }
            state.presentation.hasStalled = state.presentation.waits
            guard state.presentation.waits else {
                state.rate = 0
                return .done(.tell(.ranDry(isNews: false, pauses: true)))
            }
        }
        guard state.presentation.waits else {
            return state.hasSomething(at: now) ? run(&state, now: now) : evaluate(&state, now: now)
        }
        switch state.presentation.policy.verdict(state.level(at: now), afterStall: state.presentation.hasStalled) {
        case .play: return run(&state, now: now)
        case .evaluate: return evaluate(&state, now: now)
        case .wait: return waitForBuffer(&state)
        }
    }

    private func evaluate(_ state: inout Pipeline, now: HostTime) -> Monitor<Pipeline>.Step<Action> {
        let since = state.presentation.evaluatingSince ?? now
        state.presentation.evaluatingSince = since
        // Without waiting for more there is nothing to minimize: it plays as soon as anything is there.
        guard state.presentation.waits else { return .wait() }
        let limit = since.advanced(by: Self.longestEvaluation)
        return now < limit ? .wait(until: limit) : waitForBuffer(&state)
    }

    private func waitForBuffer(_ state: inout Pipeline) -> Monitor<Pipeline>.Step<Action> {
        guard !state.presentation.waitsForBuffer else { return .wait() }
        state.presentation.waitsForBuffer = true
        return .done(.tell(.changed))
    }

    private func run(_ state: inout Pipeline, now: HostTime) -> Monitor<Pipeline>.Step<Action> {
        item.supply.noteDry(false)
        state.presentation.waitsForBuffer = false
        state.presentation.hasStalled = false
        state.presentation.evaluatingSince = nil
        state.presentation.playsAtOnce = false
        state.presentation.phase = .running
        state.presentation.pacer.restart()
        item.wake(.audio)
        guard let ring = state.sound.ring, state.source.hasSound, !state.presentation.isPastEnd else {
            state.presentation.clock.run(at: state.rate, from: now)
            return .done(.lookAgain)
        }
        soundStart = now
        state.presentation.clock.runBySound(from: now)
        return .done(.startSound(ring))
    }

    /// Ends a play-through. Until somebody decides otherwise, the position counts on.
    func end(_ state: inout Pipeline, at end: Double, now: HostTime) -> Action {
        if let error = state.source.packets.end?.error {
            state.presentation.clock.stop(at: now)
            state.source.failure = error.inTheMiddle
            return .lookAgain
        }
        state.presentation.isPastEnd = true
        state.presentation.clock.set(position: end)
        state.presentation.clock.run(at: state.rate, from: now)
        return .end
    }
}

extension Pipeline {
    /// Whether there is anything to play from.
    fileprivate func hasSomething(at now: HostTime) -> Bool {
        let level = level(at: now)
        return level.ahead > 0 || level.endRead || level.full || !pictures.line.isEmpty
    }
}

extension ItemPlayback {
    /// Whether the item has been played to its end and not been left since.
    var isPastEnd: Bool { pipeline.withLock { $0.presentation.isPastEnd } }

    /// Stands at the end, which has just been reached.
    func standAtEnd() {
        pipeline.withLock { state in
            state.rate = 0
            guard state.presentation.isPastEnd, let end = state.lastMoment else { return }
            state.presentation.clock.set(position: end)
            state.presentation.phase = .standing
        }
        wake(.conductor)
    }

    /// Whether the media lets one go to its start.
    var canBeginAgain: Bool { (try? seekContext.rules.verdict(for: 0)) == .go(to: 0) }

    /// Has the position count on past the end.
    func countOn() {
        pipeline.withLock { $0.presentation.countsOn = true }
    }

    /// Goes from the end to the start, to play on from there.
    /// - Parameter rate: the rate to go on at; as it was where nil.
    /// - Returns: what is answered once it is there; nil where the media does not let one go back.
    func beginAgain(because reason: TimeJump.Reason = .loop, rate: Double? = nil) -> Reply<SeekOutcome>? {
        guard canBeginAgain else { return nil }
        if let rate { pipeline.withLock { $0.rate = rate } }
        return seek(to: 0, because: reason)
    }

    /// Whether playback is to wait to minimize stalling from now on.
    func setWaits(_ waits: Bool) {
        pipeline.withLock { $0.presentation.waits = waits }
        wake(.conductor)
    }

    /// Has what is there played at the next chance, without waiting for more.
    func playAtOnce() {
        pipeline.withLock { $0.presentation.playsAtOnce = true }
    }
}
