internal import Casting
internal import Media

/// The text of one item: what there is, which of it is chosen, and what of that is up when.
///
/// The source's thread puts packets in, the picture decoder's thread captions, the player's commands choose; the screen
/// asks what is up.
final class SubtitleStage: SubtitleSource {
    fileprivate struct State {
        var lanes: [TrackOption.Source: SubtitleLane] = [:]
        var selected: TrackOption.Source?
        var fonts = AttachedFonts.none
        var settings: SubtitleSettings
        /// What was read, from when to when in item time, but for what is being read from `spanStart` on.
        var spans: [(start: Double, end: Double)] = []
        var spanStart = 0.0
        /// When the screen last asked, in item time.
        var asked: Double?
    }

    private let state: Monitor<State>
    private let changed: @Sendable () -> Void

    /// - Parameter changed: called when what the screen last got is no longer true.
    init(settings: SubtitleSettings, changed: @escaping @Sendable () -> Void) {
        state = Monitor(State(settings: settings))
        self.changed = changed
    }

    // MARK: What there is

    /// Takes in the media's streams of text and its fonts.
    func open(_ streams: [MediaStream], fonts: [AttachedFont]) {
        state.withLock { state in
            state.fonts = fonts.isEmpty ? .none : AttachedFonts(fonts)
            for stream in streams where stream.kind == .legible && stream.isDecodable {
                state.add(.stream(stream.index), replaces: SubtitleDecoder.replaces(stream)) {
                    try SubtitleDecoder(stream)
                }
            }
        }
    }

    /// Takes in a file that was loaded.
    func open(file index: Int, _ file: SubtitleFile) {
        let isShown = state.withLock { state in
            state.lanes[.external(index)] = SubtitleLane(file: file)
            return state.selected == .external(index)
        }
        if isShown { changed() }
    }

    /// Whether a source can be shown now: a file only once it is loaded.
    func has(_ source: TrackOption.Source) -> Bool { state.withLock { $0.lanes[source] != nil } }

    /// The captions seen in the pictures so far, as what they are to the choice of tracks.
    var captions: TrackOption.Source? {
        state.withLock { $0.lanes.keys.first { if case .captions = $0 { true } else { false } } }
    }

    // MARK: What comes

    /// Takes a packet of a stream of text.
    /// - Returns: false for a packet of any other stream.
    func push(_ packet: Packet) -> Bool { push(packet, to: .stream(packet.streamIndex)) }

    /// Takes the captions of a picture; pictures in the order they are shown in.
    /// - Returns: whether they are the first.
    func pushCaptions(of frame: VideoFrame, stream: Int) -> Bool {
        guard let packet = ClosedCaptions.packet(of: frame) else { return false }
        let source = TrackOption.Source.captions(stream: stream, channel: 1)
        let isFirst = state.withLock { state in
            guard state.lanes[source] == nil, ClosedCaptions.saysSomething(packet) else { return false }
            state.add(source, replaces: true) { try SubtitleDecoder.captions() }
            return true
        }
        _ = push(packet, to: source)
        return isFirst
    }

    private func push(_ packet: Packet, to source: TrackOption.Source) -> Bool {
        let (isMine, isNews) = state.withLock { state in
            guard state.lanes[source] != nil else { return (false, false) }
            state.lanes[source]?.push(packet)
            guard state.selected == source else { return (true, false) }
            let cues = state.lanes[source]?.read() ?? []
            guard let asked = state.asked else { return (true, false) }
            return (true, cues.contains { $0.start <= asked && ($0.end ?? .infinity) > asked })
        }
        if isNews { changed() }
        return isMine
    }

    /// Gets ready for packets from another place.
    ///
    /// - Parameters:
    ///   - target: item time that is sought.
    ///   - readUpTo: item time up to which the place before was read.
    /// - Returns: the chosen stream, where what lies before the target was not read yet.
    func restart(at target: Double, readUpTo: Double?) -> Set<Int> {
        state.withLock { state in
            state.spans.append((state.spanStart, readUpTo ?? state.spanStart))
            if state.spans.count > 100 { state.spans.removeFirst() }
            state.spanStart = target
            for source in state.lanes.keys {
                if case .stream = source { state.lanes[source]?.restart() }
            }
            guard case .stream(let index) = state.selected, let lane = state.lanes[.stream(index)] else { return [] }
            let isKnown = state.spans.contains { $0.start <= max(0, target - 10) && $0.end >= target }
            return isKnown && !lane.store.replaces ? [] : [index]
        }
    }

    /// Gets ready for captions of pictures from another place.
    func restartCaptions() {
        state.withLock { state in
            for source in state.lanes.keys {
                if case .captions = source { state.lanes[source]?.restart() }
            }
        }
    }

    // MARK: What is wanted

    /// Shows one source; none where nil.
    func select(_ source: TrackOption.Source?) {
        let isNews = state.withLock { state in
            guard state.selected != source else { return false }
            state.selected = source
            if let source { _ = state.lanes[source]?.read() }
            return true
        }
        if isNews { changed() }
    }

    /// What is chosen.
    var selected: TrackOption.Source? { state.withLock { $0.selected } }

    /// How people want it.
    var settings: SubtitleSettings {
        get { state.withLock { $0.settings } }
        set {
            state.withLock { $0.settings = newValue }
            changed()
        }
    }

    // MARK: What is up

    func scene(at time: Double) -> SubtitleScene? {
        state.withLock { state in
            let time = time - state.settings.delay
            state.asked = time
            guard let source = state.selected, let lane = state.lanes[source], let script = lane.script else {
                return nil
            }
            let entries = lane.store.active(at: time)
            return SubtitleScene(
                key: SubtitleScene.Key(source: lane.number, cues: entries.map(\.number)),
                content: lane.content(entries, script: script, time: time), script: script,
                fonts: script.isStyled ? state.fonts : .none, settings: state.settings)
        }
    }

    func nextChange(after time: Double) -> Double? {
        state.withLock { state in
            guard let source = state.selected, let lane = state.lanes[source] else { return nil }
            return lane.store.nextChange(after: time - state.settings.delay).map { $0 + state.settings.delay }
        }
    }
}

extension SubtitleStage.State {
    fileprivate mutating func add(
        _ source: TrackOption.Source, replaces: Bool, decoder: @escaping () throws -> SubtitleDecoder
    ) {
        lanes[source] = SubtitleLane(replaces: replaces, decoder: decoder)
    }
}

extension SubtitleLane {
    /// What is to be drawn for the cues that are up.
    fileprivate func content(
        _ entries: [CueStore.Entry], script: SubtitleScript, time: Double
    ) -> SubtitleScene.Content {
        guard !entries.isEmpty else { return .none }
        var texts: [String] = []
        var bitmaps: [SubtitleBitmap] = []
        var canvas: Size?
        for entry in entries {
            switch entry.cue.content {
            case .text(let lines): texts += lines
            case .bitmaps(let images, let size):
                bitmaps += images
                canvas = size
            }
        }
        if !bitmaps.isEmpty { return .bitmaps(bitmaps, canvas: canvas) }
        if script.isStyled { return .script(events, time: time) }
        return .text(PlainText.blocks(texts, stacksUpwards: script.stacksUpwards))
    }
}
