internal import Casting
internal import Media

/// Going to other places of the item.
extension ItemPlayback {
    /// The rules for seeking, where playback is, and where it is already going to.
    var seekContext: (rules: SeekRules, position: Double, pendingTarget: Double?) {
        pipeline.withLock { state in
            let rules = SeekRules(seekable: state.seekableRanges, duration: state.source.media?.duration)
            let isOnItsWay = state.seek != nil || state.source.media == nil
            return (rules, state.timeline(at: .now).position, isOnItsWay ? state.target : nil)
        }
    }

    /// Goes to a position that the rules allow.
    func seek(to position: Double, aim: SeekAim = .exact) -> Reply<SeekOutcome> {
        begin { _ in (position, aim) }
    }

    /// Goes to the picture before or after the one that is up; where there is none, it stays.
    func step(forward: Bool) -> Reply<SeekOutcome> {
        begin { state in
            let here = state.timeline(at: .now).position
            let shown = state.pictures.shown.flatMap { $0.generation == state.generation ? $0.time : nil }
            return (shown ?? here, SeekAim(kind: forward ? .after : .before))
        }
    }

    /// Begins a seek to where `choose` says, in place of one that is under way.
    private func begin(_ choose: (Pipeline) -> (position: Double, aim: SeekAim)) -> Reply<SeekOutcome> {
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
            state.seek = (reply, superseded?.from ?? here)
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
