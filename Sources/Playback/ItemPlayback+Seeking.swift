internal import Casting
internal import Media

/// Going to other places of the item.
extension ItemPlayback {
    /// The rules for seeking, where playback is, and where it is already going to.
    var seekContext: (rules: SeekRules, position: Double, pendingTarget: Double?) {
        let wanted = scrubbing.withLock { $0.rules.wanted }
        return pipeline.withLock { state in
            let rules = SeekRules(seekable: state.seekableRanges, duration: state.source.media?.duration)
            if let wanted { return (rules, state.timeline(at: .now).position, wanted) }
            let isOnItsWay = state.seek != nil || state.source.media == nil
            return (rules, state.timeline(at: .now).position, isOnItsWay ? state.target : nil)
        }
    }

    /// Whether there are pictures, as far as is known.
    var mayHavePictures: Bool { pipeline.withLock { $0.source.media == nil || $0.source.hasPictures } }

    /// Goes to a position that the rules allow.
    func seek(
        to position: Double, aim: SeekAim = .exact, because reason: TimeJump.Reason = .seek
    ) -> Reply<SeekOutcome> {
        scrubbing.withLock { $0.rules.abandon() }
        return begin(because: reason) { _ in (position, aim) }
    }

    /// Goes to the picture before or after the one that is up; where there is none, it stays.
    func step(forward: Bool) async -> SeekOutcome {
        // Each step is from the picture that the one before led to.
        if let underWay = pipeline.withLock({ $0.seek?.reply }) { _ = await underWay.value }
        return await begin { state in
            let here = state.timeline(at: .now).position
            let shown = state.pictures.shown.flatMap { $0.generation == state.generation ? $0.time : nil }
            return (shown ?? here, SeekAim(kind: forward ? .after : .before))
        }.value
    }

    /// Goes to a position as one of several seeks in a row: each shows a picture before the next begins, if that does not
    /// take long, and the last one ends at the exact place.
    ///
    /// - Parameter looksAround: whether somebody looks for a place, so that a picture near it will do until they rest.
    func scrub(to position: Double, looksAround: Bool) async -> SeekOutcome {
        await scrub(to: position, takeTicket(for: position, looksAround: looksAround))
    }

    /// Takes the place of the seeks before: what is skipped from now on counts from `position`.
    func takeTicket(for position: Double, looksAround: Bool) -> ScrubRules.Ticket {
        scrubbing.withLock { $0.rules.take(position, looksAround: looksAround, at: .now) }
    }

    /// Goes to the position that a ticket was taken for.
    func scrub(to position: Double, _ ticket: ScrubRules.Ticket) async -> SeekOutcome {
        if let before = scrubbing.withLock({ $0.underWay }) { _ = await before.value(within: ScrubRules.patience) }
        guard let outcome = await go(to: position, aim: ticket.isQuick ? ScrubRules.quick : .exact, ticket) else {
            return superseded
        }
        guard ticket.isQuick, outcome.finished else {
            scrubbing.withLock { $0.rules.finish(ticket) }
            return outcome
        }
        try? await Task.sleep(for: .seconds(ScrubRules.rest))
        guard let exact = await go(to: position, aim: .exact, ticket) else { return superseded }
        scrubbing.withLock { $0.rules.finish(ticket) }
        return exact
    }

    /// Goes there, unless another has taken its place; nothing can come between looking and beginning.
    private func go(to position: Double, aim: SeekAim, _ ticket: ScrubRules.Ticket) async -> SeekOutcome? {
        let reply = scrubbing.withLock { state -> Reply<SeekOutcome>? in
            guard state.rules.isLatest(ticket) else { return nil }
            let reply = begin { _ in (position, aim) }
            state.underWay = reply
            return reply
        }
        return await reply?.value
    }

    private var superseded: SeekOutcome {
        let here = pipeline.withLock { $0.timeline(at: .now).position }
        return SeekOutcome(finished: false, position: here, reason: .superseded)
    }

    /// Begins a seek to where `choose` says, in place of one that is under way.
    private func begin(
        because reason: TimeJump.Reason = .seek, _ choose: (Pipeline) -> (position: Double, aim: SeekAim)
    ) -> Reply<SeekOutcome> {
        let reply = Reply<SeekOutcome>()
        var refusal: SeekOutcome?
        let (superseded, cancellation, here) = pipeline.withLock {
            state -> (Reply<SeekOutcome>?, Cancellation?, Double) in
            let here = state.timeline(at: .now).position
            guard !state.isClosed, state.presentation.phase != .over, state.source.failure == nil else {
                refusal = SeekOutcome(finished: false, position: here, reason: .cancelled)
                return (nil, nil, here)
            }
            let (position, aim) = choose(state)
            guard state.beginGeneration(at: position, aim: aim) else {
                refusal = SeekOutcome(
                    finished: false, position: here, reason: .outOfRange, seekableTimeRanges: state.seekableRanges)
                return (nil, nil, here)
            }
            let superseded = state.seek
            state.seek = (reply, superseded?.from ?? here, reason)
            // While the item is being opened there is nothing to interrupt: it opens at another place. And what is held
            // is played while reading goes on where it is.
            guard state.source.media != nil, !state.sourceIsThere else { return (superseded?.reply, nil, here) }
            let cancellation = state.source.cancellation
            state.source.cancellation = Cancellation()
            return (superseded?.reply, cancellation, here)
        }
        if let refusal {
            reply.give(refusal)
            return reply
        }
        cancellation?.cancel()
        superseded?.give(SeekOutcome(finished: false, position: here, reason: .superseded))
        wake()
        return reply
    }
}
