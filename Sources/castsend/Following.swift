import Casting
import Sender

#if canImport(Glibc)
    import Glibc
#endif

/// Follows a session and shows what happens in it, until it is over or the user has had enough.
struct Following {
    /// How it was over.
    enum Ending {
        /// The play that was followed is over.
        case play(FollowedPlay.Ending)
        /// The user stopped playback.
        case stoppedByUser
        /// The user has had enough; playback goes on.
        case left
        /// The receiver does not answer, or does not know the session.
        case broken(CastError)
    }

    /// What may happen next.
    private enum Input: Sendable {
        case update(FollowUpdate)
        case followEnded(CastError?)
        case loaded(CastError?)
        case queued(CastError?)
        case signal(Int32)
        case key(UInt8?)
        case stopped
    }

    private let output: Output
    private let session: SessionClient
    /// Whether playback cannot go on without this program, as it serves the file.
    private let isServing: Bool
    private let item: MediaItem?
    /// What is put into the queue after `item`; without one, what is there already.
    private let queued: [MediaItem]
    private let options: PlaybackOptions?
    private var play: FollowedPlay?
    private var state: PlaybackState?
    private var estimate = PositionEstimate()
    private var lastPosition: Double?
    private var lastEvent = HostTime.now
    private var printer: ProgressPrinter
    private var isConnected = true
    private var hasBegunLoading = false
    private var hasQueued = false
    private var isStopping = false
    private var keys: KeyReader?

    /// Follows what a session plays; with an item, loads it first, queues others, and follows until all is over.
    ///
    /// - Parameter queued: what to queue after `item`; without one, what is in the queue already and is followed.
    init(
        _ session: SessionClient, output: Output, item: MediaItem? = nil, queued: [MediaItem] = [],
        options: PlaybackOptions? = nil, isServing: Bool = false
    ) {
        self.session = session
        self.output = output
        self.item = item
        self.options = options
        self.isServing = isServing
        self.queued = queued
        if item != nil || !queued.isEmpty {
            play = FollowedPlay(itemID: item?.id, queued: queued.compactMap(\.id))
        }
        printer = ProgressPrinter(output, title: item?.title)
    }

    /// Where playback is, or was while there was something to play; nil where nothing is known.
    var position: Double? {
        if state?.item == nil { return lastPosition }
        // What a receiver that does not answer has done since is not known.
        return estimate.position(at: isConnected ? .now : lastEvent)
    }

    /// Follows until it is over.
    mutating func run() async -> Ending {
        let (inputs, continuation) = AsyncStream<Input>.makeStream()
        Signals.handle { continuation.yield(.signal($0)) }
        let follower = Task { [session] in
            do {
                for try await update in EventFollower(session).updates() { continuation.yield(.update(update)) }
                continuation.yield(.followEnded(nil))
            } catch {
                continuation.yield(.followEnded(error as? CastError))
            }
        }
        defer {
            Signals.handle(nil)
            follower.cancel()
            keys?.stop()
            printer.clear()
        }
        for await input in inputs {
            if let ending = take(input, continuation) { return ending }
        }
        return .left
    }

    private mutating func take(_ input: Input, _ inputs: AsyncStream<Input>.Continuation) -> Ending? {
        switch input {
        case .update(.event(let event)):
            isConnected = true
            lastEvent = .now
            let ending = take(event)
            beginLoading(inputs)
            beginQueueing(inputs)
            return ending
        case .update(.interrupted):
            isConnected = false
            show()
        case .update(.resumed):
            isConnected = true
            show()
        case .followEnded(let error):
            isConnected = false
            return .broken(
                error ?? CastError(.receiverUnreachable, "\(session.receiver.name) does not answer any more."))
        case .loaded(let error?):
            // Others follow: the events tell that it failed.
            if !queued.isEmpty, error.code != .receiverUnreachable, !error.meansSessionGone { return nil }
            return ending(ofLoad: error)
        case .queued(let error?): return ending(ofLoad: error)
        case .queued(nil): break
        case .loaded(nil): break
        case .signal(let signal): return take(signal: signal, inputs)
        case .key(let key): return take(key: key, inputs)
        case .stopped: return .stoppedByUser
        }
        return nil
    }

    // MARK: The receiver

    private mutating func take(_ event: Event) -> Ending? {
        output.event(event)
        // With nothing to show it to there is no use in watching; a film that is served goes on.
        if output.hasFailed, play == nil { return .left }
        switch event {
        case .state(let state):
            lastPosition = position
            if let notice = state.item?.notice, self.state?.item?.notice != notice { printer.say(notice.description) }
            self.state = state
            estimate.observe(state, at: .now)
        case .progress(let timeline): estimate.observe(timeline, at: .now)
        case .failed(let id, let error) where id != item?.id || !queued.isEmpty,
            .failedToEnd(let id, let error) where id != item?.id || !queued.isEmpty:
            printer.say("Could not be played: \(error)")
        case .notice(_, let error): printer.say("\(error)")
        case .routeLost(let loss) where play == nil: return .play(.lost(loss))
        default: break
        }
        if let ending = play?.take(event) {
            return isStopping && [.stopped, .replaced].contains(ending) ? .stoppedByUser : .play(ending)
        }
        show()
        return nil
    }

    private mutating func show() {
        guard let state, let position, play?.hasBegun != false else { return }
        printer.show(state, position: position, isConnected: isConnected)
    }

    /// Loads the item once the events are flowing, so that none about it is missed.
    private mutating func beginLoading(_ inputs: AsyncStream<Input>.Continuation) {
        guard let item, !hasBegunLoading else { return }
        hasBegunLoading = true
        var changes = options
        if let options, state?.options == nil || state?.options == state?.options?.changed(by: options) {
            changes = nil
        }
        Task { [session, changes] in
            do throws(CastError) {
                if let changes { try await session.setOptions(changes) }
                try await session.load(item)
                inputs.yield(.loaded(nil))
            } catch {
                inputs.yield(.loaded(error))
            }
        }
    }

    /// Queues the others as soon as the first is what plays, for it may be short; what was there before is gone by then.
    private mutating func beginQueueing(_ inputs: AsyncStream<Input>.Continuation) {
        guard let item, !queued.isEmpty, !hasQueued, state?.item?.id == item.id else { return }
        hasQueued = true
        Task { [session, queued] in
            do throws(CastError) {
                try await session.enqueue(EnqueueRequest(items: queued))
                inputs.yield(.queued(nil))
            } catch {
                inputs.yield(.queued(error))
            }
        }
    }

    private func ending(ofLoad error: CastError) -> Ending? {
        switch error.code {
        // The events tell better what became of it.
        case .operationCancelled where isStopping, .sessionEnded: nil
        case .operationCancelled: .play(state?.item == nil ? .stopped : .replaced)
        case .receiverUnreachable, .notFound, .notAuthorized: .broken(error)
        default: .play(.failed(error))
        }
    }

    // MARK: The user

    private mutating func take(signal: Int32, _ inputs: AsyncStream<Input>.Continuation) -> Ending? {
        // Asked twice, it does not wait for the receiver.
        if isStopping { return .stoppedByUser }
        if keys != nil { return stop(inputs) }
        guard signal == SIGINT, Terminal.canAsk, !output.isJSON, play != nil else {
            return isServing ? stop(inputs) : .left
        }
        printer.clear()
        printer.isHeld = true
        output.write(isServing ? "Stop or go on? [s/g] " : "Stop, detach or go on? [s/d/g] ")
        keys = KeyReader { inputs.yield(.key($0)) }
        return nil
    }

    private mutating func take(key: UInt8?, _ inputs: AsyncStream<Input>.Continuation) -> Ending? {
        guard keys != nil else { return nil }
        endAsking()
        switch key.map({ Character(UnicodeScalar($0)).lowercased() }) {
        case "s", "q": return stop(inputs)
        case "d" where !isServing: return .left
        default: return nil
        }
    }

    private mutating func endAsking() {
        keys?.stop()
        keys = nil
        printer.isHeld = false
        output.write("\r\u{1b}[K")
        show()
    }

    private mutating func stop(_ inputs: AsyncStream<Input>.Continuation) -> Ending? {
        if keys != nil { endAsking() }
        isStopping = true
        Task { [session, item, queued] in
            // Whether or not it worked: the user wants to go.
            if item == nil {
                for id in queued.compactMap(\.id) { try? await session.dequeue(id) }
            } else {
                try? await session.stop()
            }
            inputs.yield(.stopped)
        }
        return nil
    }
}
