public import Casting
public import Playback
import Synchronization

/// A player that plays nothing but keeps the books: state, queue and events are as a real player's would be.
///
/// Every item lasts 100 s. One whose URL ends in "broken" fails to load; one whose URL ends in "slow" loads until
/// `release` is called or something takes its place.
public final class FakePlayer: PlaybackControl {
    private struct Content {
        var state = PlaybackState()
        var queue: [MediaItem] = []
        var commands: [Command] = []
        var loads: [CheckedContinuation<Bool, Never>] = []
        var lastID = 0
        var failure: CastError?
        var isShutDown = false
    }

    /// What happens, for one listener.
    public let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let content = Mutex(Content())

    /// An idle player.
    public init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    /// The state, its timeline true now.
    public var state: PlaybackState {
        content.withLock { content in
            var state = content.state
            let now = HostTime.now
            state.timeline.position = state.timeline.position(at: now)
            state.timeline.hostTime = now
            return state
        }
    }

    /// The queue's items.
    public var queue: [MediaItem] { content.withLock { $0.queue } }
    /// A picture that goes with every item.
    public let artwork = Artwork([0x89, 0x50, 0x4E, 0x47])
    /// A log of one stretch.
    public var accessLog: AccessLogDocument {
        var entry = AccessLogEntry(
            uri: "http://host/film.mp4", playbackStartDate: "2024-01-01T00:00:00.000Z", playbackSessionID: "A",
            playbackStartOffset: 0)
        entry.numberOfBytesTransferred = 1000
        return AccessLogDocument(itemID: state.item?.id, events: state.item == nil ? [] : [entry])
    }
    /// An empty log.
    public var errorLog: ErrorLogDocument { ErrorLogDocument(itemID: state.item?.id) }
    /// Every command so far, in order.
    public var commands: [Command] { content.withLock { $0.commands } }
    /// How many slow loads are under way.
    public var pendingLoads: Int { content.withLock { $0.loads.count } }
    /// Whether `shutdown` was called.
    public var isShutDown: Bool { content.withLock { $0.isShutDown } }

    /// Lets every slow load succeed.
    public func release() { finishLoads(true) }

    /// Lets the next command fail.
    public func failNext(with error: CastError) { content.withLock { $0.failure = error } }

    /// Changes the state as playback by itself would, and tells.
    public func change(_ apply: @Sendable (inout PlaybackState) -> Void) {
        content.withLock { content in
            apply(&content.state)
            continuation.yield(.state(content.state))
        }
    }

    /// Tells of something that happened.
    public func tell(_ event: Event) { continuation.yield(event) }

    /// Carries out a command on the books.
    public func perform(_ command: Command) async throws(CastError) -> CommandOutcome {
        let failure = content.withLock { content in
            content.commands.append(command)
            defer { content.failure = nil }
            return content.failure
        }
        if let failure { throw failure }
        switch command {
        case .load(let item): try await load(item)
        case .play: try change(rate: { $0.defaultRate })
        case .playImmediately(let rate): try change(rate: { rate ?? $0.defaultRate })
        case .pause: try change(rate: { _ in 0 })
        case .togglePlayback: try change(rate: { $0.rate == 0 ? $0.defaultRate : 0 })
        case .stop:
            finishLoads(false)
            content.withLock { $0.queue = [] }
            change(to: nil)
        case .seek(let request): return .seek(try jump { _ in request.position })
        case .skip(let seconds): return .seek(try jump { $0 + seconds })
        case .step(let pictures):
            try change(rate: { _ in 0 })
            return .seek(try jump { $0 + Double(pictures) / 25 })
        case .setRate(let rate): try change(rate: { _ in rate })
        case .setDefaultRate(let rate):
            change {
                $0.defaultRate = rate
                if $0.rate != 0 { Self.setRate(rate, of: &$0) }
            }
        case .setOptions(let options): change { $0.options = $0.options?.changed(by: options) }
        case .nextVideoGravity:
            change { state in
                let next = state.options?.videoGravity?.next
                state.options?.videoGravity = next
            }
        case .setVolume(let change): setVolume(change)
        case .setSubtitles(let change):
            self.change { state in
                var settings = state.subtitles ?? SubtitleSettings()
                settings.apply(change)
                state.subtitles = settings
            }
        case .enqueue(let items, let before): try enqueue(items, before: before)
        case .dequeue(let id): try dequeue(id)
        case .clearQueue: content.withLock { content in content.queue.removeAll { $0.id != content.state.item?.id } }
        case .renewSource(let renewal):
            content.withLock { content in
                guard let place = content.queue.firstIndex(where: { $0.id == renewal.itemID ?? content.state.item?.id })
                else { return }
                content.queue[place].url = renewal.url
            }
        case .next: try step(1)
        case .previous: try step(-1)
        case .selectTrack, .nextTrack: try requireItem()
        case .nextChapter: return .seek(try jump { $0 + 1 })
        case .previousChapter: return .seek(try jump { _ in 0 })
        case .disconnect: throw CastError(.invalidRequest, "Not for the player.")
        }
        return .done
    }

    /// Ends the events.
    public func shutdown() async {
        finishLoads(false)
        content.withLock { $0.isShutDown = true }
        continuation.finish()
    }

    private func load(_ item: MediaItem) async throws(CastError) {
        finishLoads(false)
        var item = item
        item.id = item.id ?? nextID()
        content.withLock { [item] in $0.queue = [item] }
        let id = item.id!
        change(to: ItemState(id: id, title: item.title))
        if item.url.hasSuffix("slow") {
            let loaded = await withCheckedContinuation { waiter in content.withLock { $0.loads.append(waiter) } }
            guard loaded else { throw CastError(.operationCancelled, "Something else took its place.") }
        }
        if item.url.hasSuffix("broken") {
            let error = CastError(.contentIsUnavailable, "The server has no such thing.", hint: "Check the address.")
            change {
                $0.item?.status = .failed
                $0.item?.error = error
                $0.timeControlStatus = .paused
                $0.rate = 0
            }
            tell(.failed(itemID: id, error: error))
            throw error
        }
        change { [item] state in
            state.item?.status = .readyToPlay
            state.item?.duration = 100
            state.item?.seekableTimeRanges = [TimeRange(start: 0, end: 100)]
            state.item?.tracks = [MediaTrack(id: "0", kind: .visual, codec: "h264", selected: true)]
            state.item?.presentationSize = Size(width: 640, height: 360)
            state.readyForDisplay = true
            state.timeline = Timeline(position: item.startPosition ?? 0, hostTime: .now, effectiveRate: 0)
            Self.setRate(item.paused == true ? 0 : item.rate ?? state.defaultRate, of: &state)
        }
    }

    private func nextID() -> String {
        content.withLock { content in
            content.lastID += 1
            return "item-\(content.lastID)"
        }
    }

    private func finishLoads(_ loaded: Bool) {
        let loads = content.withLock { content in
            defer { content.loads = [] }
            return content.loads
        }
        for load in loads { load.resume(returning: loaded) }
    }

    private func change(to item: ItemState?) {
        let ids = queue.compactMap(\.id)
        change {
            $0.item = item
            $0.queue = ids
            $0.readyForDisplay = false
            $0.timeline = Timeline(position: 0, hostTime: .now, effectiveRate: 0)
            $0.timeControlStatus = .paused
            $0.rate = 0
        }
    }

    private func change(rate: @Sendable (PlaybackState) -> Double) throws(CastError) {
        try requireItem()
        change { Self.setRate(rate($0), of: &$0) }
    }

    private static func setRate(_ rate: Double, of state: inout PlaybackState) {
        let now = HostTime.now
        state.rate = rate
        state.timeControlStatus = rate == 0 ? .paused : .playing
        state.timeline = Timeline(position: state.timeline.position(at: now), hostTime: now, effectiveRate: rate)
    }

    private func jump(to target: (Double) -> Double) throws(CastError) -> SeekOutcome {
        try requireItem()
        let now = state
        let position = target(now.timeline.position)
        guard (0...100).contains(position) else {
            return SeekOutcome(
                finished: false, position: now.timeline.position, reason: .outOfRange,
                seekableTimeRanges: [TimeRange(start: 0, end: 100)])
        }
        let jump = TimeJump(itemID: now.item?.id ?? "", from: now.timeline.position, to: position, reason: .seek)
        tell(.timeJumped(jump))
        change { $0.timeline = Timeline(position: position, hostTime: .now, effectiveRate: $0.timeline.effectiveRate) }
        return SeekOutcome(finished: true, position: position)
    }

    private func requireItem() throws(CastError) {
        guard state.item != nil else {
            throw CastError(.noCurrentItem, "Nothing is playing.", hint: "Load an item first.")
        }
    }

    private func setVolume(_ change: VolumeChange) {
        self.change {
            switch change {
            case .set(let volume): $0.volume = volume
            case .adjust(let amount): $0.volume = min(max($0.volume + amount, 0), 1)
            case .mute(let muted): $0.muted = muted
            case .toggleMute: $0.muted.toggle()
            }
        }
    }

    private func enqueue(_ items: [MediaItem], before: String?) throws(CastError) {
        var named: [MediaItem] = []
        for var item in items {
            item.id = item.id ?? nextID()
            named.append(item)
        }
        let found = content.withLock { [named] content in
            guard let before else {
                content.queue += named
                return true
            }
            guard let place = content.queue.firstIndex(where: { $0.id == before }) else { return false }
            content.queue.insert(contentsOf: named, at: place)
            return true
        }
        guard found else { throw CastError(.notFound, "There is no such item in the queue.") }
        tellQueue()
    }

    private func dequeue(_ id: String) throws(CastError) {
        let found = content.withLock { content in
            guard let place = content.queue.firstIndex(where: { $0.id == id }) else { return false }
            content.queue.remove(at: place)
            return true
        }
        guard found else { throw CastError(.notFound, "There is no such item in the queue.") }
        tellQueue()
    }

    private func tellQueue() {
        let ids = queue.compactMap(\.id)
        change { $0.queue = ids }
    }

    private func step(_ direction: Int) throws(CastError) {
        try requireItem()
        let (queue, current) = content.withLock { ($0.queue, $0.state.item?.id) }
        let place = (queue.firstIndex { $0.id == current } ?? 0) + direction
        guard queue.indices.contains(place) else { return change(to: nil) }
        change(to: ItemState(id: queue[place].id ?? "", title: queue[place].title))
        change { $0.item?.status = .readyToPlay }
    }
}
