package import Casting

/// What follows from the facts.
extension ScreenDirector {
    /// What is to be on the screen at an instant.
    package func content(at now: HostTime, wall: WallClock) -> ScreenContent {
        var content = ScreenContent(scene: scene(at: now, wall: wall))
        switch content.scene {
        case .picture:
            content.bar = bar(at: now)
            content.spinner = spinner(at: now)
            content.caption = caption(at: now)
        case .audio, .loading:
            content.spinner = spinner(at: now)
            content.caption = caption(at: now)
        case .idle, .blank, .failure:
            break
        }
        if liveItem != nil, let quarters = quarters(until: volumeUntil, at: now) {
            let playback = status.playback
            content.volume = VolumeSign(
                percent: Int((min(max(playback.volume, 0), 1) * 100).rounded()), muted: playback.muted,
                quarters: quarters)
        }
        return content
    }

    /// When `content` may next be another without any new fact; nil for never.
    package func nextChange(after now: HostTime, wall: WallClock) -> HostTime? {
        var instants: [HostTime] = []
        if let notice { instants.append(notice.until) }
        for until in [barUntil, volumeUntil].compactMap(\.self) { instants += Self.fadeSteps(until: until) }
        let content = content(at: now, wall: wall)
        if status.playback.item != nil { instants.append(itemSince.advanced(by: Stay.silence)) }
        if content.spinner != nil, let spinnerSince {
            let steps = (now.seconds(since: spinnerSince) / Stay.spinnerStep).rounded(.down) + 1
            instants.append(spinnerSince.advanced(by: steps * Stay.spinnerStep))
        }
        var followsPosition = content.bar != nil
        switch content.scene {
        case .idle: instants.append(now.advanced(by: wall.secondsToNextMinute))
        case .audio:
            followsPosition = true
            instants.append(now.advanced(by: wall.secondsToNextMinute))
        case .picture, .blank, .loading, .failure: break
        }
        if followsPosition, let instant = nextPositionStep(after: now) { instants.append(instant) }
        return instants.filter { $0 > now }.min()
    }

    private func scene(at now: HostTime, wall: WallClock) -> ScreenContent.Scene {
        guard let item = liveItem else {
            if let notice, now < notice.until { return .failure(Self.caption(of: notice.error)) }
            return .idle(idleCard(wall: wall))
        }
        let isSoundAlone = item.status == .readyToPlay && !item.tracks.contains { $0.kind == .visual }
        if isSoundAlone && !item.tracks.isEmpty { return .audio(audioCard(of: item, at: now, wall: wall)) }
        if hasPicture { return .picture }
        if now < itemSince.advanced(by: Stay.silence) {
            return cameFromIdle ? .idle(idleCard(wall: wall)) : .blank
        }
        return .loading(LoadingCard(title: title(of: item), senderName: status.senderName))
    }

    private func idleCard(wall: WallClock) -> IdleCard {
        IdleCard(
            name: status.receiverName, addresses: status.addresses, howToCast: status.howToCast,
            advice: status.advice, senderName: status.senderName, clock: wall.text,
            shift: .at(minute: wall.minuteOfDay))
    }

    private func audioCard(of item: ItemState, at now: HostTime, wall: WallClock) -> AudioCard {
        AudioCard(
            title: title(of: item) ?? "Untitled", artist: item.artist, album: item.album, artwork: status.artwork,
            progress: progress(of: item, at: now), shift: .at(minute: wall.minuteOfDay))
    }

    private func title(of item: ItemState) -> String? {
        item.title.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A word over a scene that goes on: a failure, or that the next item is on its way while the last picture stays.
    private func caption(at now: HostTime) -> Caption? {
        if let notice, now < notice.until { return Self.caption(of: notice.error) }
        guard hasPicture, let item = liveItem, item.status == .unknown || !status.playback.readyForDisplay,
            item.status == .unknown || item.tracks.contains(where: { $0.kind == .visual }),
            now >= itemSince.advanced(by: Stay.silence)
        else { return nil }
        return Caption(isFailure: false, sentence: "Loading…", hint: title(of: item))
    }

    private static func caption(of error: CastError) -> Caption {
        Caption(isFailure: true, sentence: error.message, hint: error.hint)
    }

    private func spinner(at now: HostTime) -> Int? {
        guard let spinnerSince else { return nil }
        return Int(now.seconds(since: spinnerSince) / Stay.spinnerStep + 0.001) % 12
    }

    private func bar(at now: HostTime) -> PlaybackBar? {
        guard let item = liveItem, let quarters = quarters(until: barUntil, at: now) else { return nil }
        return PlaybackBar(
            title: title(of: item), artist: item.artist, progress: progress(of: item, at: now), quarters: quarters)
    }

    private func progress(of item: ItemState, at now: HostTime) -> Progress {
        let playback = status.playback
        let duration = item.isLive ? nil : item.duration.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        let position = min(max(0, playback.timeline.position(at: now)), duration ?? .infinity)
        let loaded = item.loadedTimeRanges.first { $0.contains(position) }?.end ?? position
        func thousandths(_ time: Double) -> Int {
            duration.map { Int((min(max(time / $0, 0), 1) * 1000).rounded()) } ?? 0
        }
        let mode: Progress.Mode =
            switch playback.timeControlStatus {
            case .paused: .paused
            case .playing: .playing
            case .waitingToPlayAtSpecifiedRate: .waiting
            }
        let rate = playback.rate == 0 ? playback.defaultRate : playback.rate
        return Progress(
            mode: mode, position: Self.wholeSeconds(position), duration: duration.map(Self.wholeSeconds),
            played: thousandths(position), loaded: thousandths(loaded), isLive: item.isLive, muted: playback.muted,
            rate: abs(rate - 1) < 0.005 ? nil : TimeText.rate(rate))
    }

    /// Full seconds; a duration that is all but whole counts as whole.
    private static func wholeSeconds(_ seconds: Double) -> Int {
        Int(min((seconds + 0.01).rounded(.down), 1e9))
    }

    /// When the position drawn is next another: at the next full second, or sooner where a short item's bar moves
    /// faster, but never more often than ten times a second.
    private func nextPositionStep(after now: HostTime) -> HostTime? {
        let timeline = status.playback.timeline
        guard timeline.effectiveRate > 0, let item = liveItem else { return nil }
        let position = timeline.position(at: now)
        if let duration = item.duration, !item.isLive, position >= duration { return nil }
        let step = min(max((item.duration ?? 1000) / 1000, 0.1), 1)
        let next = ((position / step + 0.001).rounded(.down) + 1) * step
        return now.advanced(by: max((next - position) / timeline.effectiveRate, 0.1))
    }

    /// How much of a thing shows that goes at an instant: all, then less in steps, then nothing.
    private func quarters(until: HostTime?, at now: HostTime) -> Int? {
        guard let until, now < until else { return nil }
        return 4 - Self.fadeSteps(until: until).count { $0 <= now }
    }

    private static func fadeSteps(until: HostTime) -> [HostTime] {
        (0..<4).map { until.advanced(by: -Stay.fade * Double(3 - $0) / 3) }
    }
}
