internal import Media
internal import Synchronization

/// One stream of text of an item: its packets until somebody wants to read them, then its cues.
struct SubtitleLane {
    /// What packets nobody reads may take up, in bytes; beyond it the earliest go.
    static let packetLimit = 8 << 20

    /// Tells it from others, those of other items too: what was drawn of one must never pass for another.
    let number = Self.nextNumber.add(1, ordering: .relaxed).newValue
    private static let nextNumber = Atomic<Int>(0)
    private let makeDecoder: () throws -> SubtitleDecoder
    private var decoder: SubtitleDecoder?
    private var packets = Fifo<Packet>()
    private var packetBytes = 0
    /// What is known of its cues.
    private(set) var store: CueStore
    /// How its cues are to be read; nil before it was first wanted.
    private(set) var script: SubtitleScript?
    /// An author's events in the order they came.
    private(set) var events: [ScriptEvent] = []
    /// Whether it turned out that it cannot be shown.
    private(set) var isBroken = false

    /// A stream that `decoder` reads.
    init(replaces: Bool, decoder: @escaping () throws -> SubtitleDecoder) {
        makeDecoder = decoder
        store = CueStore(replaces: replaces)
    }

    /// A file that has been read.
    init(file: SubtitleFile) {
        self.init(replaces: file.script.replaces) { throw SubtitleDecoder.none }
        script = file.script
        for cue in file.cues { insert(cue) }
    }

    /// Takes a packet.
    mutating func push(_ packet: Packet) {
        packets.append(packet)
        packetBytes += packet.byteCount
        while packetBytes > Self.packetLimit, let first = packets.popFirst() { packetBytes -= first.byteCount }
    }

    /// Makes cues of all packets that wait.
    /// - Returns: the new ones.
    mutating func read() -> [SubtitleCue] {
        guard !packets.isEmpty, !isBroken else { return [] }
        if decoder == nil {
            decoder = try? makeDecoder()
            script = decoder?.script
            isBroken = decoder == nil
        }
        var news: [SubtitleCue] = []
        while let packet = packets.popFirst() {
            for cue in decoder?.decode(packet) ?? [] where insert(cue) { news.append(cue) }
        }
        packetBytes = 0
        return news
    }

    /// Gets ready for packets from another place.
    mutating func restart() {
        decoder?.flush()
        guard store.replaces else { return }
        // Where the one that takes a cue down was never read, the cue would stay for ever.
        store.removeAll()
        packets.removeAll()
        packetBytes = 0
    }

    @discardableResult
    private mutating func insert(_ cue: SubtitleCue) -> Bool {
        guard store.insert(cue) else { return false }
        if script?.isStyled == true, case .text(let texts) = cue.content {
            for text in texts {
                events.append(
                    ScriptEvent(
                        text: "\(events.count)" + (text.firstIndex(of: ",").map { text[$0...] } ?? ""),
                        start: cue.start, duration: (cue.end ?? cue.start + 4) - cue.start))
            }
        }
        return true
    }
}
