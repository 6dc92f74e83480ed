internal import Casting

/// What has been read of an item and not yet been decoded: one queue for each stream, one budget for all.
struct PacketBuffer<Element> {
    /// How the reading ended.
    enum End {
        /// There is no more.
        case complete
        /// There is more, but it could not be had.
        case broken(CastError)
    }

    /// How much to hold.
    struct Limits: Equatable, Sendable {
        /// Bytes of all streams together.
        var bytes: Int
        /// Seconds of item time of a stream.
        var seconds: Double
    }

    private struct Lane {
        var entries = Fifo<(element: Element, time: Double?, bytes: Int)>()
        /// The item time that has been read up to; nil before anything was.
        var readUpTo: Double?
    }

    /// Once full, it takes more only when emptied to this part, so that reading goes in long runs.
    static var refillPoint: Double { 0.85 }
    /// What a stream must hold before another one's wealth alone makes the buffer full, in seconds.
    static var leastSeconds: Double { 1 }

    private let limits: Limits
    private var lanes: [Int: Lane]
    private var bytes = 0
    private var firstTime: Double?
    private var bytesRead = 0
    /// Whether it takes no more.
    private(set) var isFull = false
    /// How the reading ended; nil while it goes on.
    var end: End?

    /// An empty buffer for some streams, by their numbers.
    init(streams: [Int], limits: Limits) {
        self.limits = limits
        lanes = Dictionary(uniqueKeysWithValues: streams.map { ($0, Lane()) })
    }

    /// Whether reading may go on.
    var mayTakeMore: Bool { !isFull && end == nil }

    /// Appends something to a stream; ignored for a stream it does not know.
    mutating func push(_ element: Element, stream: Int, time: Double?, duration: Double?, bytes: Int) {
        guard var lane = lanes.removeValue(forKey: stream) else { return }
        lane.entries.append((element, time, bytes))
        if let time {
            let end = time + (duration ?? 0)
            lane.readUpTo = max(lane.readUpTo ?? end, end)
            firstTime = min(firstTime ?? time, time)
        }
        lanes[stream] = lane
        self.bytes += bytes
        bytesRead += bytes
        updateFullness()
    }

    /// Takes the first of a stream out; nil when the stream is empty.
    mutating func pop(_ stream: Int) -> Element? {
        guard let entry = lanes[stream]?.entries.popFirst() else { return nil }
        bytes -= entry.bytes
        updateFullness()
        return entry.element
    }

    /// Empties it, for what is read from another place.
    mutating func removeAll() {
        for stream in lanes.keys { lanes[stream] = Lane() }
        bytes = 0
        bytesRead = 0
        firstTime = nil
        isFull = false
        end = nil
    }

    /// Whether nothing of a stream waits.
    func isEmpty(_ stream: Int) -> Bool { lanes[stream]?.entries.isEmpty ?? true }

    /// The item time up to which a stream has been read; nil before anything was.
    func readUpTo(_ stream: Int) -> Double? { lanes[stream]?.readUpTo }

    /// The item time up to which any stream but this one has been read.
    func othersReadUpTo(_ stream: Int) -> Double? {
        lanes.filter { $0.key != stream }.compactMap(\.value.readUpTo).max()
    }

    /// The item time up to which all streams have been read, as far as they have anything; nil before they do.
    var readUpTo: Double? { lanes.values.compactMap(\.readUpTo).min() }

    /// Bytes that a second of item time has taken since it was emptied; nil before there was a second of it.
    var byteRate: Double? {
        guard let firstTime, let last = readUpTo, last - firstTime >= 1 else { return nil }
        return Double(bytesRead) / (last - firstTime)
    }

    private mutating func updateFullness() {
        let spans = lanes.values.map { lane -> Double in
            guard let first = lane.entries.first?.time, let last = lane.readUpTo else { return 0 }
            return last - first
        }
        let most = spans.max() ?? 0
        let part = isFull ? Self.refillPoint : 1
        let longEnough = most >= limits.seconds * part && (spans.min() ?? 0) >= Self.leastSeconds
        isFull = Double(bytes) >= Double(limits.bytes) * part || longEnough || most >= 2 * limits.seconds * part
    }
}
