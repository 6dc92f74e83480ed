public import Casting

extension Player {
    /// Carries out a command and answers once it has taken effect.
    ///
    /// An item put into an idle player's queue is played. Without a current item `play`, `pause`, `seek`, `skip` and
    /// the rate throw `noCurrentItem`; while it is a failed one, its error.
    public func perform(_ command: Command) async throws(CastError) -> CommandOutcome {
        guard core.withLock({ !$0.isShutDown }) else {
            throw CastError(.operationCancelled, "The player has been shut down.")
        }
        switch command {
        case .load(let item): try await load(item)
        case .play: try await changeRate { $0.play() }
        case .playImmediately(let rate): try await playImmediately(at: rate)
        case .pause: try await changeRate { $0.pause() }
        case .togglePlayback: try await changeRate { $0.rate == 0 ? $0.play() : $0.pause() }
        case .setRate(let rate): try await changeRate { control throws(CastError) in try control.setRate(rate) }
        case .setDefaultRate(let rate): try await setDefaultRate(rate)
        case .seek(let request): return .seek(try await seek(request))
        case .skip(let seconds): return .seek(try await skip(by: seconds))
        case .step(let pictures): return .seek(try await step(by: pictures))
        case .setOptions(let options): setOptions(options)
        case .nextVideoGravity:
            let gravity = core.withLock { $0.gravity.next }
            setOptions(PlaybackOptions(videoGravity: gravity))
        case .setVolume(let change): try setVolume(change)
        case .setSubtitles(let change):
            core.withLock { core in
                core.subtitles.apply(change)
                core.item?.subtitles.settings = core.subtitles
            }
            publish()
        case .stop: await stop()
        case .enqueue(let items, let before): try enqueue(items, before: before)
        case .dequeue(let id): try dequeue(id)
        case .clearQueue:
            core.withLock { $0.queue.removeOthers() }
            publish()
        case .renewSource(let renewal): try renewSource(renewal)
        case .next: try await next()
        case .previous: try await previous()
        case .selectTrack(let selection, let kind): try await selectTrack(of: kind) { _ in selection }
        case .nextTrack(let kind): try await selectTrack(of: kind) { $0.next(of: kind) }
        case .nextChapter:
            return .seek(try await goToChapter { rules, time throws(CastError) in try rules.next(after: time) })
        case .previousChapter:
            return .seek(try await goToChapter { rules, time throws(CastError) in try rules.previous(before: time) })
        case .disconnect: throw CastError(.invalidRequest, "The player has no session to end.")
        }
        return .done
    }

    private func selectTrack(
        of kind: MediaTrack.Kind, _ choose: (TrackSelector) -> TrackSelection
    ) async throws(CastError) {
        let item = core.withLock { core in
            // The next item's sound was to go on from the one that is given up.
            if kind == .audible { drop(&core) }
            return core.item
        }
        guard let item else { throw Self.nothingToPlay }
        guard try await item.selectTrack(of: kind, choose) else { return }
        publish()
    }

    // MARK: Items

    private func load(_ item: MediaItem) async throws(CastError) {
        try check(item)
        let started = core.withLock { core in
            core.queue.replace(by: item)
            core.failures = 0
            return begin(&core, rate: item.paused == true ? 0 : item.rate ?? core.control.defaultRate)
        }
        publish()
        try await untilReady(started)
    }

    private func untilReady(_ item: ItemPlayback?) async throws(CastError) {
        guard let item else { return }
        try await item.ready.value.get()
    }

    private func stop() async {
        let item = core.withLock { becomeIdle(&$0) }
        publish()
        await item?.finish()
    }

    private func next() async throws(CastError) {
        let (started, stopped) = try locked { core throws(CastError) -> (ItemPlayback?, ItemPlayback?) in
            guard let item = core.item else { throw Self.nothingToPlay }
            let (started, stopped) = follow(core.succession.afterSkip, item, &core)
            return (started, stopped)
        }
        publish()
        await stopped?.finish()
        try await untilReady(started)
    }

    private func previous() async throws(CastError) {
        let started = try locked { core throws(CastError) -> ItemPlayback? in
            guard core.item != nil else { throw Self.nothingToPlay }
            guard let previous = core.queue.goBack() else { return nil }
            return begin(&core, rate: rate(for: previous, after: core))
        }
        guard let started else {
            _ = try await seek(SeekRequest(position: 0))
            return
        }
        publish()
        try await untilReady(started)
    }

    private func enqueue(_ items: [MediaItem], before id: String?) throws(CastError) {
        for item in items { try check(item) }
        try locked { core throws(CastError) in
            try core.queue.insert(items, before: id)
            guard core.item == nil || core.item?.failure != nil, let first = core.queue.advance() else { return }
            _ = begin(&core, rate: first.paused == true ? 0 : first.rate ?? core.control.defaultRate)
        }
        publish()
    }

    private func dequeue(_ id: String) throws(CastError) {
        try locked { core throws(CastError) in
            guard try core.queue.remove(id) else { return }
            if let next = core.queue.current {
                _ = begin(&core, rate: rate(for: next, after: core))
            } else {
                _ = becomeIdle(&core)
            }
        }
        publish()
    }

    private func renewSource(_ renewal: SourceRenewal) throws(CastError) {
        let item = try locked { core throws(CastError) -> ItemPlayback? in
            guard let id = renewal.itemID ?? core.item?.id else { throw Self.nothingToPlay }
            if id == core.item?.id, let failure = core.item?.failure { throw failure }
            try core.queue.renew(id, url: renewal.url, headers: renewal.headers)
            return id == core.item?.id ? core.item : nil
        }
        item?.renewSource(renewal)
    }

    private func check(_ item: MediaItem) throws(CastError) {
        if let rate = item.rate, !PlaybackState.rates.contains(rate) {
            throw CastError(.invalidRequest, "A rate of \(rate) is not on offer.", hint: "Use 0.5 to 2.")
        }
        if let position = item.startPosition, !position.isFinite || position < 0 {
            throw CastError(.invalidRequest, "The start position is no time.", hint: "Give seconds from the start.")
        }
    }

    // MARK: Rate

    private func changeRate(_ change: (inout TimeControl) throws(CastError) -> Void) async throws(CastError) {
        let (item, rate, isStart) = try locked { core throws(CastError) in
            let item = try playable(core)
            let before = core.control.rate
            try change(&core.control)
            return (item, core.control.rate, before == 0 && core.control.rate != 0)
        }
        // Whoever presses play at the end wants to see it again.
        if isStart, item.isPastEnd { return try await playAgain(item, rate: rate) }
        await item.setRate(rate)
        publish()
    }

    /// Plays an item from its start that stands at its end.
    private func playAgain(_ item: ItemPlayback, rate: Double) async throws(CastError) {
        if let going = item.beginAgain(because: .restart, rate: rate) {
            _ = await going.value
            return publish()
        }
        // It does not let one go back: it is opened anew.
        let end = item.pipeline.withLock { $0.timeline(at: .now).position }
        var started: ItemPlayback?
        publish(before: [.timeJumped(TimeJump(itemID: item.id, from: end, to: 0, reason: .restart))]) {
            started = core.withLock { core in
                core.item === item ? begin(&core, rate: rate, fromStart: true) : nil
            }
        }
        try await untilReady(started)
    }

    private func playImmediately(at rate: Double?) async throws(CastError) {
        let item = try locked { core throws(CastError) in try playable(core) }
        item.playAtOnce()
        try await changeRate { control throws(CastError) in
            if let rate { try control.setRate(rate) } else { control.play() }
        }
    }

    private func setDefaultRate(_ rate: Double) async throws(CastError) {
        let (item, rate) = try locked { core throws(CastError) in
            try core.control.setDefaultRate(rate)
            return (core.item, core.control.rate)
        }
        await item?.setRate(rate)
        publish()
    }

    // MARK: Position

    private func seek(_ request: SeekRequest) async throws(CastError) -> SeekOutcome {
        try SeekRules.validate(request)
        let item = try locked { core throws(CastError) in try playable(core) }
        let context = item.seekContext
        switch try context.rules.verdict(for: request.position) {
        case .go(let position):
            let aim = SeekAim(
                toleranceBefore: request.toleranceBefore ?? 0, toleranceAfter: request.toleranceAfter ?? 0)
            if request.scrubs == true { return await item.scrub(to: position, looksAround: true) }
            return await item.seek(to: position, aim: aim).value
        case .outOfRange:
            return SeekOutcome(
                finished: false, position: context.position, reason: .outOfRange,
                seekableTimeRanges: context.rules.seekable)
        }
    }

    private func skip(by seconds: Double) async throws(CastError) -> SeekOutcome {
        guard seconds.isFinite else { throw CastError(.invalidRequest, "That is no time to skip by.") }
        // Where it goes is settled before another one looks, for that begins there.
        typealias Place = (position: Double, ticket: ScrubRules.Ticket)
        let skip = { (core: inout Core) throws(CastError) -> (ItemPlayback, target: Double, Place?) in
            let item = try self.playable(core)
            let context = item.seekContext
            let target = context.rules.skipTarget(
                by: seconds, position: context.position, pendingTarget: context.pendingTarget)
            guard case .go(let position) = try context.rules.verdict(for: target) else { return (item, target, nil) }
            return (item, target, (position, item.takeTicket(for: position, looksAround: false)))
        }
        let (item, target, place) = try locked(skip)
        guard let place else { return try await seek(SeekRequest(position: target)) }
        return await item.scrub(to: place.position, place.ticket)
    }

    private func step(by pictures: Int) async throws(CastError) -> SeekOutcome {
        let item = try locked { core throws(CastError) in try playable(core) }
        guard item.mayHavePictures else {
            throw CastError(.operationNotSupported, "There are no pictures to step through.")
        }
        try await changeRate { $0.pause() }
        var outcome = SeekOutcome(finished: true, position: item.seekContext.position)
        for _ in 0..<abs(pictures) {
            outcome = await item.step(forward: pictures > 0)
            guard outcome.finished else { break }
        }
        return outcome
    }

    private func goToChapter(
        _ choose: (ChapterRules, Double) throws(CastError) -> Double
    ) async throws(CastError) -> SeekOutcome {
        let item = try locked { core throws(CastError) in try playable(core) }
        let context = item.seekContext
        let rules = ChapterRules(chapters: state.item?.chapters ?? [])
        return try await seek(SeekRequest(position: choose(rules, context.pendingTarget ?? context.position)))
    }

    // MARK: Loudness

    private func setVolume(_ change: VolumeChange) throws(CastError) {
        try locked { core throws(CastError) in
            switch change {
            case .set(let volume):
                guard (0...1).contains(volume) else {
                    throw CastError(.invalidRequest, "A volume of \(volume) is not on offer.", hint: "Use 0 to 1.")
                }
                core.volume = volume
            case .adjust(let amount):
                guard amount.isFinite else { throw CastError(.invalidRequest, "That is no change of volume.") }
                core.volume = min(max(core.volume + amount, 0), 1)
            case .mute(let isMuted): core.isMuted = isMuted
            case .toggleMute: core.isMuted.toggle()
            }
            core.item?.gain = core.gain
            core.ahead?.playback.gain = core.gain
        }
        publish()
    }

    // MARK: Helpers

    private static let nothingToPlay = CastError(
        .noCurrentItem, "Nothing is being played.", hint: "Send something to play first.")

    private func playable(_ core: Core) throws(CastError) -> ItemPlayback {
        guard let item = core.item else { throw Self.nothingToPlay }
        if let failure = item.failure { throw failure }
        return item
    }

    /// Changes the core; the monitor's own function cannot throw a type of one's choice from an inferred closure.
    private func locked<Result>(_ body: (inout Core) throws(CastError) -> Result) throws(CastError) -> Result {
        let result = core.withLock { core -> Swift.Result<Result, CastError> in
            do throws(CastError) {
                return .success(try body(&core))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
