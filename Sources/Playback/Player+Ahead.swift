internal import Casting

/// The next item of the queue, opened ahead of its turn.
extension Player {
    /// An item that is opened ahead.
    struct Ahead {
        var playback: ItemPlayback
        /// The rate it is made for.
        var rate: Double
        /// Whether the current item's sound goes on with it.
        var isLinked = false
    }

    /// Opens the next item once it is time, joins it to the current one once it is ready, and gives it up when it is not
    /// the next one any more.
    func lookAhead(_ core: inout Core) {
        guard !core.isShutDown, let current = core.item, let wanted = upcoming(core) else { return drop(&core) }
        let outlook = current.outlook
        guard var ahead = core.ahead else {
            if AheadRule.opens(outlook) { open(wanted, &core) }
            return
        }
        let isStale =
            ahead.playback.item != wanted || !AheadRule.keeps(outlook)
            // After a seek back, what was heard of it already is missing.
            || ahead.isLinked && ahead.playback.isBeingHeard && !current.isHeardOut
        if isStale { return drop(&core) }
        let rate = rate(for: wanted, after: core)
        guard rate != 0 else { return }
        if rate != ahead.rate {
            ahead.rate = rate
            ahead.playback.adopt(rate: rate)
        }
        if !ahead.isLinked { ahead.isLinked = current.lead(to: ahead.playback) }
        core.ahead = ahead
    }

    /// Gives up what was opened ahead.
    func drop(_ core: inout Core) {
        guard let ahead = core.ahead else { return }
        core.ahead = nil
        core.item?.leadNowhere()
        ahead.playback.close(darkening: false)
    }

    /// Takes what was opened ahead, if it is that item, to be played now.
    /// - Returns: it, and whether its sound has joined that of the item before.
    func takeAhead(_ item: MediaItem, rate: Double, _ core: inout Core) -> (playback: ItemPlayback, joins: Bool)? {
        guard let ahead = core.ahead, ahead.playback.item == item, ahead.playback.failure == nil else {
            drop(&core)
            return nil
        }
        core.ahead = nil
        let joins = ahead.isLinked && rate != 0 && core.item?.isHeardOut == true
        if !joins { core.item?.leadNowhere() }
        ahead.playback.adopt(rate: rate)
        return (ahead.playback, joins)
    }

    /// Hears what the threads of the item opened ahead tell.
    func hearAhead(_ report: ItemReport, from item: ItemPlayback) {
        core.withLock { core in
            guard core.ahead?.playback === item else { return }
            if case .failed(let error) = report {
                // It is told when its turn comes; the one behind it is next until then.
                core.failedAhead[item.id] = error
                drop(&core)
            }
            lookAhead(&core)
        }
    }

    /// What is to be told of the items behind one that failed when they were opened ahead. The last of the queue is not
    /// among them: it is tried again.
    func failuresAhead(of item: ItemPlayback) -> [Event] {
        core.withLock { core in
            guard core.item === item else { return [] }
            return failed(core).map {
                .failed(itemID: $0.id ?? "", error: core.failedAhead[$0.id ?? ""] ?? .init(.unknown, ""))
            }
        }
    }

    /// Passes over those items.
    func passFailed(_ core: inout Core) {
        for _ in failed(core) { _ = core.queue.advance() }
        core.failedAhead = [:]
    }

    private func failed(_ core: Core) -> ArraySlice<MediaItem> {
        core.queue.following.dropLast().prefix { core.failedAhead[$0.id ?? ""] != nil }
    }

    /// The item that follows the current one, as far as is known.
    private func upcoming(_ core: Core) -> MediaItem? {
        let rules = core.succession
        let candidates: [MediaItem]
        switch rules.afterEnd {
        case .next:
            let following = Array(core.queue.following)
            candidates = rules.loop == .all ? following + core.queue.items.prefix(1) : following
        case .first: candidates = Array(core.queue.items.prefix(1))
        case .again: candidates = core.queue.current.map { [$0.again] } ?? []
        case .stand, .goOn, .idle, .stay: return nil
        }
        return candidates.first { core.failedAhead[$0.id ?? ""] == nil }
    }

    private func open(_ item: MediaItem, _ core: inout Core) {
        // Paused, it is made for the rate it will most likely be played at.
        let rate = [self.rate(for: item, after: core), item.rate ?? 0, core.control.defaultRate].first { $0 != 0 } ?? 1
        let playback = makePlayback(item, rate: rate, core)
        core.ahead = Ahead(playback: playback, rate: rate)
        playback.prepare()
    }
}
