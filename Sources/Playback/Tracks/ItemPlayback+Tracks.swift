internal import Casting
internal import Media

extension ItemPlayback {
    /// Asks something of a group of tracks. Answered once what was chosen is heard; position and rate stay.
    ///
    /// - Returns: whether anything is chosen now that was not.
    /// - Throws: what `TrackSelector.select` throws; `operationNotSupported` before the tracks are known.
    func selectTrack(
        of kind: MediaTrack.Kind, _ choose: (TrackSelector) -> TrackSelection
    ) async throws(CastError) -> Bool {
        let reply = Reply<Void>()
        let outcome = pipeline.withLock { state in
            Result { () throws(CastError) in try state.selectTrack(of: kind, choose, reply) }
        }
        let change = try outcome.get()
        change.cancellation?.cancel()
        if change.isNews { showChosenText() }
        wake()
        await reply.value
        return change.isNews
    }
}

/// What a choice of tracks has set going.
struct TrackChange {
    var isNews = false
    /// What was being read, where the new sound has to be read from here on.
    var cancellation: Cancellation?
}

extension Pipeline {
    /// Takes a choice of tracks into account.
    /// - Parameter reply: answered once it has taken effect.
    fileprivate mutating func selectTrack(
        of kind: MediaTrack.Kind, _ choose: (TrackSelector) -> TrackSelection, _ reply: Reply<Void>
    ) throws(CastError) -> TrackChange {
        if let failure = source.failure { throw failure }
        guard !isClosed, let media = source.media, presentation.phase != .over else {
            throw CastError(
                .operationNotSupported, "There are no tracks to choose from yet.", hint: "Try again once it plays.")
        }
        var selector = media.selector
        try selector.select(choose(selector), in: kind)
        source.media?.selector = selector
        var change = TrackChange(isNews: selector.groups != media.selector.groups)
        let wanted = selector.selected(.audible)?.stream
        guard let wanted, wanted != sound.wanted ?? media.choice.audio else {
            // A change to it may be under way.
            if sound.wanted != nil { sound.changeReplies.append(reply) } else { reply.give(()) }
            return change
        }
        sound.wanted = wanted
        sound.changeReplies.append(reply)
        let isAtEnd = presentation.isPastEnd && seek == nil
        if isAtEnd {
            for reply in sound.changeReplies { reply.give(()) }
            sound.changeReplies = []
        }
        guard !source.packets.holds(wanted) else { return change }
        // It is not being read: everything is read again from here, with it.
        var choice = media.choice
        choice.audio = wanted
        source.streams = choice.streams
        source.packets.hold(choice.streams)
        guard media.isSeekable else { return change }
        source.packets.removeAll()
        guard !isAtEnd else { return change }
        // A seek that is under way goes where it was going.
        let isOnItsWay = seek != nil || !presentation.isAnswered
        _ = beginGeneration(at: isOnItsWay ? target : timeline(at: .now).position, aim: .exact)
        change.cancellation = source.cancellation
        source.cancellation = Cancellation()
        return change
    }
}
