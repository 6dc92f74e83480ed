public import Casting

/// The player: plays the items of a queue on a screen and a sound device.
///
/// Commands may come from any task at the same time; each changes what is wanted at once and is answered when that has
/// taken effect. The work is done by the threads of the item that plays (`ItemPlayback`).
public final class Player: PlaybackControl {
    /// What the commands decide on.
    struct Core {
        var queue = PlayQueue()
        var control = TimeControl()
        var volume = 1.0
        var isMuted = false
        var subtitles = SubtitleSettings()
        /// How the session plays; all of the options.
        var options = PlaybackOptions.standard
        /// How many items have failed one after the other.
        var failures = 0
        /// The current item.
        var item: ItemPlayback?
        /// The last item that was current: the next one waits until it has let go of the outputs.
        var latest: ItemPlayback?
        var isShutDown = false
        /// The next item, if it is open already.
        var ahead: Ahead?
        /// The items that failed when they were opened ahead, by their ids, and why.
        var failedAhead: [String: CastError] = [:]

        var gain: Float { isMuted ? 0 : VolumeCurve.gain(volume) }
    }

    let core: Monitor<Core>
    let publisher = StatePublisher()
    let video: any VideoOutput
    private let sound: SoundDevice
    private let settings: PlayerSettings

    /// An idle player that shows pictures on `video` and sounds on `audio`. The device is opened once it is needed.
    public init(video: any VideoOutput, audio: any AudioOutput, settings: PlayerSettings = PlayerSettings()) {
        self.video = video
        self.settings = settings
        sound = SoundDevice(audio)
        var core = Core()
        core.volume = min(max(settings.volume, 0), 1)
        core.subtitles = settings.subtitles
        self.core = Monitor(core)
    }

    deinit {
        core.withLock { core in
            drop(&core)
            return core.item
        }?.close(darkening: true)
        publisher.finish()
    }

    /// What happens, in order. For one listener.
    public var events: AsyncStream<Event> { publisher.events }

    /// The state now, with a timeline that is true now.
    public var state: PlaybackState { core.withLock { Self.state(of: $0, on: video.size) } }

    /// The picture that goes with the current item; nil where there is none.
    public var artwork: Artwork? { core.withLock { $0.item }?.artworkShelf.artwork }

    /// The items of the queue in playing order, each with an id.
    public var queue: [MediaItem] { core.withLock { $0.queue.items } }

    /// What the current item took from the network, or the last one.
    public var accessLog: AccessLogDocument {
        core.withLock { $0.item ?? $0.latest }?.accessLog ?? AccessLogDocument()
    }

    /// What went wrong on the network for the current item, or the last one.
    public var errorLog: ErrorLogDocument {
        core.withLock { $0.item ?? $0.latest }?.errorLog ?? ErrorLogDocument()
    }

    /// Stops for good, frees everything and ends `events`.
    public func shutdown() async {
        let item = core.withLock { core in
            core.isShutDown = true
            drop(&core)
            core.queue.removeAll()
            core.control.pause()
            defer { core.item = nil }
            return core.item ?? core.latest
        }
        item?.close(darkening: true)
        publish()
        await item?.finish()
        publisher.finish()
    }

    // MARK: State

    private static func state(of core: Core, on screen: Size?, now: HostTime = .now) -> PlaybackState {
        var state = PlaybackState()
        var control = core.control
        control.hasItem = core.item != nil
        if let snapshot = core.item?.snapshot(at: now) {
            control.obstacle = snapshot.obstacle
            state.item = snapshot.item
            state.timeline = snapshot.timeline
            state.readyForDisplay = snapshot.readyForDisplay
            state.statistics = snapshot.statistics
            if snapshot.readyForDisplay, let screen, let picture = snapshot.item.presentationSize {
                state.videoRect = core.gravity.rect(of: picture, in: screen)
            }
        } else {
            state.timeline.hostTime = now
        }
        state.timeControlStatus = control.status
        state.reasonForWaitingToPlay = control.reason
        state.rate = control.rate
        state.defaultRate = control.defaultRate
        if control.status != .playing { state.timeline.effectiveRate = 0 }
        state.volume = core.volume
        state.muted = core.isMuted
        state.subtitles = core.subtitles
        state.options = core.options
        state.queue = core.queue.items.compactMap(\.id)
        return state
    }

    /// Tells of what changed, and of notices before and after it.
    /// - Parameter change: what is to change between `before` and the state; nothing else is told meanwhile.
    func publish(before: [Event] = [], after: [Event] = [], change: () -> Void = {}) {
        core.withLock { lookAhead(&$0) }
        publisher.publish(before: before, after: after, reason: { core.withLock { $0.control.cause } }) {
            change()
            return state
        }
    }

    // MARK: Items

    /// Makes the queue's current item the one that plays.
    /// - Parameter fromStart: whether it begins at its first instant, whatever its start position.
    func begin(_ core: inout Core, rate: Double, fromStart: Bool = false) -> ItemPlayback? {
        let before = core.item
        guard let current = core.queue.current else { return nil }
        let item = fromStart ? current.again : current
        let ahead = takeAhead(item, rate: rate, &core)
        let next = ahead?.playback ?? makePlayback(item, rate: rate, core)
        next.setWaits(core.waits)
        before?.close(darkening: false)
        core.item = next
        // Within 0 or 0.5 to 2: items are checked before they get into the queue.
        try? core.control.setRate(rate, because: .itemChanged)
        core.subtitles.delay = 0
        next.subtitles.settings = core.subtitles
        next.start(after: before ?? core.latest, joining: ahead?.joins ?? false)
        core.latest = next
        return next
    }

    /// An item that is to play, or to be opened ahead.
    func makePlayback(_ item: MediaItem, rate: Double, _ core: Core) -> ItemPlayback {
        var settings = settings
        let ahead = core.options.preferredForwardBufferDuration ?? 0
        if ahead > 0 { settings.bufferSeconds = ahead }
        let playback = ItemPlayback(
            item, rate: rate, gain: core.gain, video: video, sound: sound, settings: settings
        ) { [weak self] in self?.hear($1, from: $0) }
        playback.setWaits(core.waits)
        return playback
    }

    /// Empties everything.
    func becomeIdle(_ core: inout Core) -> ItemPlayback? {
        drop(&core)
        core.queue.removeAll()
        core.control.pause(because: .itemChanged)
        defer { core.item = nil }
        core.item?.close(darkening: true)
        return core.item
    }

    /// The rate for an item that follows another: its own wish, else what the one before it was asked for.
    func rate(for item: MediaItem?, after core: Core) -> Double {
        if item?.paused == true || core.control.rate == 0 { return 0 }
        return item?.rate ?? core.control.rate
    }

    /// Hears what an item's threads tell.
    private func hear(_ report: ItemReport, from item: ItemPlayback) {
        if case .expired(let status) = report, core.withLock({ $0.item === item || $0.ahead?.playback === item }) {
            let expiry = URLExpiry(itemID: item.id, status: status, timeout: settings.renewalTimeout)
            return publish(after: [.urlExpired(expiry)])
        }
        guard core.withLock({ $0.item === item }) else { return hearAhead(report, from: item) }
        switch report {
        case .changed: publish()
        case .progressed:
            core.withLock { lookAhead(&$0) }
            publisher.publishFigures(reason: { core.withLock { $0.control.cause } }) { state }
        case .ranDry(let isNews, let pauses):
            if pauses {
                core.withLock { core in
                    if core.item === item { core.control.pause(because: .stalled) }
                }
            }
            publish(after: isNews ? [.stalled(itemID: item.id)] : [])
        case .jumped(let from, let to, let reason):
            publish(before: [.timeJumped(TimeJump(itemID: item.id, from: from, to: to, reason: reason))])
        case .subtitlesFailed(let error): publish(after: [.notice(itemID: item.id, error: error)])
        case .expired: break
        case .ended: end(item)
        case .failed(let error): fail(item, error)
        }
    }
}
