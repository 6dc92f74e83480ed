internal import Casting

/// What the player does when an item is over, and when it is asked to play at its end.
extension Player {
    /// Hears that an item was played to its end.
    func end(_ item: ItemPlayback) {
        let round = core.withLock { core -> [Event] in
            guard core.item === item, core.succession.afterEnd == .again, renews(item, core) else { return [] }
            let from = item.pipeline.withLock { $0.timeline(at: .now).position }
            return [.timeJumped(TimeJump(itemID: item.id, from: from, to: 0, reason: .loop))]
        }
        publish(before: [.ended(itemID: item.id)] + failuresAhead(of: item) + round) {
            core.withLock { core in
                guard core.item === item else { return }
                core.failures = 0
                passFailed(&core)
                follow(core.succession.afterEnd, item, &core)
            }
        }
    }

    /// Hears that an item failed. It stays, so that everybody can read why, unless another one follows.
    func fail(_ item: ItemPlayback, _ error: CastError) {
        let id = item.id
        let notice =
            item.ready.isGiven ? Event.failedToEnd(itemID: id, error: error) : .failed(itemID: id, error: error)
        let next = core.withLock { core -> Succession? in
            guard core.item === item else { return nil }
            core.failures += 1
            let next = core.succession.afterFailure(failures: core.failures)
            if next == .stay { core.control.pause(because: .itemFailed) }
            return next
        }
        guard let next else { return }
        guard next != .stay else {
            item.darken()
            return publish(after: [notice])
        }
        publish(before: [notice] + failuresAhead(of: item)) {
            core.withLock { core in
                guard core.item === item else { return }
                passFailed(&core)
                follow(next, item, &core)
            }
        }
    }

    /// Does what follows an item.
    /// - Returns: the item that begins, if one does, and the one that was taken away.
    @discardableResult
    func follow(
        _ succession: Succession, _ item: ItemPlayback, _ core: inout Core
    ) -> (started: ItemPlayback?, stopped: ItemPlayback?) {
        switch succession {
        case .again:
            if !renews(item, core), item.beginAgain() != nil { return (nil, nil) }
            return (begin(&core, rate: core.control.rate, fromStart: true), nil)
        case .next:
            let next = core.queue.advance()
            return (begin(&core, rate: rate(for: next, after: core)), nil)
        case .first:
            let first = core.queue.goToFirst()
            return (begin(&core, rate: rate(for: first, after: core)), nil)
        case .stand:
            drop(&core)
            core.control.pause(because: .reachedEnd)
            item.standAtEnd()
        case .goOn: item.countOn()
        case .stay: break
        case .idle: return (nil, becomeIdle(&core))
        }
        return (nil, nil)
    }

    /// Whether a round begins with the item opened anew: it has been opened ahead, for its sound to go on without a gap,
    /// or does not let one go back.
    private func renews(_ item: ItemPlayback, _ core: Core) -> Bool {
        core.ahead?.playback.item == item.item.again || !item.canBeginAgain
    }

    /// Takes over other options, acting at once where playback has come past an item's end already.
    func setOptions(_ changes: PlaybackOptions) {
        publish {
            core.withLock { core in
                core.options = core.options.changed(by: changes)
                if changes.videoGravity != nil { video.setGravity(core.gravity) }
                guard let item = core.item else { return }
                item.setWaits(core.waits)
                core.ahead?.playback.setWaits(core.waits)
                lookAhead(&core)
                guard item.isPastEnd, core.control.rate != 0 else { return }
                follow(core.succession.afterEnd, item, &core)
            }
        }
    }
}

extension MediaItem {
    /// The item as it is played another time: from its start, as it is being played now.
    var again: MediaItem {
        var item = self
        (item.startPosition, item.paused, item.rate) = (nil, nil, nil)
        return item
    }
}

extension Player.Core {
    /// The rules for what follows the current item.
    var succession: SuccessionRules {
        SuccessionRules(
            count: queue.items.count, hasNext: queue.hasNext, action: options.actionAtItemEnd ?? .advance,
            loop: options.loop ?? LoopMode.none)
    }

    /// How pictures are laid on the screen.
    var gravity: VideoGravity { options.videoGravity ?? .resizeAspect }

    /// Whether playback waits to minimize stalling.
    var waits: Bool { options.automaticallyWaitsToMinimizeStalling ?? true }
}
