internal import CMalloc
internal import Casting
internal import FoundationEssentials
internal import Media

/// What a playing item tells the player. Called from the item's threads, with nothing locked.
enum ItemReport: Sendable {
    /// Something in the state changed.
    case changed
    /// Figures changed that need not be told at once.
    case progressed
    /// Playback ran dry.
    /// - isNews: whether it is to be told as a stall.
    /// - pauses: whether the rate is 0 for that, as playback is not to wait by itself.
    case ranDry(isNews: Bool, pauses: Bool)
    /// The position changed other than by playing.
    case jumped(from: Double, to: Double, TimeJump.Reason)
    /// The URL has run out, says this HTTP status; a fresh one is waited for.
    case expired(status: Int)
    /// The item was played to its end.
    case ended
    /// The item cannot be played, or not to its end.
    case failed(CastError)
    /// A file of subtitles cannot be shown; the item plays on.
    case subtitlesFailed(CastError)
}

/// One item being played: its threads, and what they share.
///
/// Made idle; `start` sets the threads going, `close` ends them. An item is played once.
final class ItemPlayback: Sendable {
    /// The item, with its id.
    let item: MediaItem
    let pipeline: Monitor<Pipeline>
    let video: any VideoOutput
    let sound: SoundDevice
    let settings: PlayerSettings
    /// The text over its pictures.
    let subtitles: SubtitleStage
    /// The files of text that were handed in with it.
    let subtitleFiles: SubtitleFiles
    /// The picture that goes with it.
    let artworkShelf = ArtworkShelf()
    /// Where the item's bytes come from.
    let supply: MediaSupply
    let books: Monitor<Books>
    /// Answered when the item is ready and its first picture is up, or with why it is not to be.
    let ready = Reply<Result<Void, CastError>>()
    private let report: @Sendable (ItemPlayback, ItemReport) -> Void
    private let threads = Monitor([PlayerThread]())
    private let running = Monitor(0)
    private let ended = Reply<Void>()
    private let volume: Monitor<Float>
    /// Seeks that follow one another, and the reply of the one that is under way.
    let scrubbing = Monitor((rules: ScrubRules(), underWay: Reply<SeekOutcome>?.none))

    /// An item to be played.
    init(
        _ item: MediaItem, rate: Double, gain: Float, video: any VideoOutput, sound: SoundDevice,
        settings: PlayerSettings, report: @escaping @Sendable (ItemPlayback, ItemReport) -> Void
    ) {
        self.item = item
        self.video = video
        self.sound = sound
        self.settings = settings
        self.report = report
        let playing = UUID().uuidString
        supply = MediaSupply(
            MediaLocation(item), playbackSessionID: playing, patience: settings.renewalTimeout,
            grace: settings.sourceGrace)
        books = Monitor(Books(keeper: AccessLogKeeper(url: item.url, playbackSessionID: playing)))
        volume = Monitor(gain)
        subtitles = SubtitleStage(settings: settings.subtitles) { [video] in video.subtitlesChanged() }
        subtitleFiles = SubtitleFiles(item)
        pipeline = Monitor(Pipeline(position: max(0, item.startPosition ?? 0), rate: rate), conditions: 4)
        supply.onExpiry { [weak self] status in self?.tell(.expired(status: status)) }
    }

    /// The item's id.
    var id: String { item.id ?? "" }

    /// Sets the threads going. The outputs are touched only once those of `predecessor` have let go of them.
    /// - Parameter joining: whether the device has already gone on from the predecessor's samples to this item's.
    func start(after predecessor: ItemPlayback?, joining: Bool = false) {
        let isPrepared = pipeline.withLock { state in
            state.presentation.joins = joining
            state.source.packets.limits = settings.bufferLimits
            defer { state.isAhead = false }
            return state.isAhead
        }
        let deadline = HostTime.now.advanced(by: settings.loadTimeout)
        let conductor = thread("player") { item in
            predecessor?.waitForConductor()
            Conductor(item, loadDeadline: deadline).run()
        }
        guard let conductor else {
            // There is no conductor to say so.
            Task {
                ready.give(.failure(.noThreads))
                tell(.failed(.noThreads))
            }
            return
        }
        threads.withLock { $0 = [conductor] }
        guard !isPrepared else { return wake() }
        _ = thread("source") { SourceThread($0).run() }
    }

    /// Starts one of the item's threads. Where the system has none left, the item fails.
    @discardableResult
    func thread(_ name: String, _ body: @escaping @Sendable (ItemPlayback) -> Void) -> PlayerThread? {
        running.withLock { $0 += 1 }
        do throws(CastError) {
            return try PlayerThread(name: name) {
                body(self)
                self.threadEnded()
            }
        } catch {
            // Not from here: whoever asks for a thread may hold locks that telling needs.
            Task {
                self.fail(error)
                self.threadEnded()
            }
            return nil
        }
    }

    private func threadEnded() {
        let wasLast = running.withLock { count in
            count -= 1
            return count == 0
        }
        guard wasLast else { return }
        // By default what was freed stays with the process, scattered over the heaps of many threads; the more films were
        // played the more. Before another one, it would only have to be asked for again.
        if pipeline.withLock({ $0.darkens }) { malloc_trim(0) }
        ended.give(())
    }

    /// Ends the threads; does not wait for them.
    /// - Parameter darkening: whether the screen is to be cleared and the sound device given back, for nothing follows.
    func close(darkening: Bool) {
        let cancellation = pipeline.withLock { state in
            state.isClosed = true
            state.darkens = state.darkens || darkening
            return state.source.cancellation
        }
        cancellation.cancel()
        artworkShelf.cancellation.cancel()
        subtitleFiles.close()
        wake()
    }

    /// Waits until the threads have ended, but no longer than two seconds, in which they always should.
    func finish() async {
        let done = Reply<Void>()
        let timer = Task {
            try? await Task.sleep(for: .seconds(2))
            done.give(())
        }
        Task {
            await ended.value
            done.give(())
        }
        await done.value
        timer.cancel()
    }

    private func waitForConductor() {
        threads.withLock { $0.first }?.join(within: 2)
    }

    /// Wakes all threads.
    func wake() {
        for thread in [PipelineThread.source, .video, .audio, .conductor] { wake(thread) }
    }

    /// Wakes a thread.
    func wake(_ thread: PipelineThread) { pipeline.signal(thread.rawValue) }

    /// Wakes the threads that leave the machine to the first picture until it is up.
    func wakeThoseAtRest() {
        wake(.source)
        wake(.video)
    }

    /// Waits, as a thread, for something to do.
    func wait<Result>(_ thread: PipelineThread, _ step: (inout Pipeline) -> Monitor<Pipeline>.Step<Result>) -> Result {
        pipeline.wait(on: thread.rawValue, step)
    }

    /// Tells the player something. With nothing locked.
    func tell(_ report: ItemReport) {
        keepBooks(report)
        self.report(self, report)
    }

    /// Ends the item for a reason: told to everybody, and final.
    func fail(_ error: CastError) {
        let isAhead = pipeline.withLock { state in
            if state.source.failure == nil { state.source.failure = error }
            return state.isAhead
        }
        wake()
        // Otherwise the conductor says so.
        if isAhead { tell(.failed(error)) }
    }

    // MARK: Wishes

    /// Plays at `rate`, or stands still at 0. Answered once that is so.
    func setRate(_ rate: Double) async {
        let reply = Reply<Void>()
        let accepted = pipeline.withLock { state in
            guard !state.isClosed, state.presentation.phase != .over else { return false }
            state.rate = rate
            state.wishReplies.append(reply)
            return true
        }
        guard accepted else { return }
        wake(.conductor)
        wake(.audio)
        await reply.value
    }

    /// Clears the screen and gives the sound device back, the item staying as it failed.
    func darken() {
        pipeline.withLock { $0.darkens = true }
        wake(.conductor)
    }

    /// The gain for samples.
    var gain: Float {
        get { volume.withLock { $0 } }
        set {
            volume.withLock { $0 = newValue }
            pipeline.withLock { $0.sound.ring }?.setGain(newValue)
        }
    }
}
