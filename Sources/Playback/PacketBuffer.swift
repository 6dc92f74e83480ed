internal import Casting

/// What is held of an item: for each stream what has been read and not yet decoded, and some of what has been, so that
/// one can go back. One budget for all streams.
struct PacketBuffer<Element> {
    /// How the reading ended.
    enum End {
        /// There is no more.
        case complete
        /// There is more, but it could not be had.
        case broken(CastError)

        /// Why the rest could not be had; nil where there is no more.
        var error: CastError? { if case .broken(let error) = self { error } else { nil } }
    }

    /// How much to hold.
    struct Limits: Equatable, Sendable {
        /// Bytes ahead of what is decoded, of all streams together.
        var bytes: Int
        /// Seconds of item time ahead, of a stream.
        var seconds: Double
        /// Bytes behind, of all streams together.
        var bytesBehind = 0
    }

    /// Once full, it takes more only when emptied to this part, so that reading goes in long runs.
    static var refillPoint: Double { 0.85 }
    /// What a stream must hold before another one's wealth alone makes the buffer full, in seconds.
    static var leastSeconds: Double { 1 }
    /// What a sound decoder is given before the place it is to begin at, in seconds: some need it to get going.
    static var preroll: Double { 0.1 }
    /// How many packets at most lie between a picture's packet and that of one seen before it.
    static var mostReordered: Int { 16 }
    /// What two times may differ and still be the same.
    static var tolerance: Double { 0.002 }

    /// How much it holds. May be changed at any time.
    var limits: Limits {
        didSet { updateFullness() }
    }
    private let guide: Int?
    var lanes: [Int: PacketLane<Element>]
    /// Streams that nobody takes from, held in case somebody changes to them.
    var passive: Set<Int> = []
    private var firstTime: Double?
    private var bytesRead = 0
    /// Whether reading began at the very start of the media.
    private(set) var isFromStart = false
    /// Whether it takes no more.
    private(set) var isFull = false
    /// How the reading ended; nil while it goes on.
    var end: End?

    /// An empty buffer for some streams, by their numbers. Places are found by the first of them.
    init(streams: [Int], limits: Limits, isFromStart: Bool = false) {
        self.limits = limits
        self.isFromStart = isFromStart
        guide = streams.first
        lanes = Dictionary(uniqueKeysWithValues: streams.map { ($0, PacketLane()) })
    }

    /// Whether reading may go on.
    var mayTakeMore: Bool { !isFull && end == nil }

    /// Appends something to a stream; ignored for a stream it does not know.
    mutating func push(
        _ element: Element, stream: Int, time: Double?, duration: Double?, bytes: Int, isKey: Bool = true
    ) {
        guard lanes[stream] != nil else { return }
        lanes[stream]?.append(element, time: time, duration: duration, bytes: bytes, isKey: isKey)
        if let time { firstTime = min(firstTime ?? time, time) }
        bytesRead += bytes
        updateFullness()
    }

    /// Takes the next of a stream out; nil when there is none. It stays held for going back.
    mutating func pop(_ stream: Int) -> Element? {
        let time = lanes[stream]?.nextTime
        guard let element = lanes[stream]?.pop() else { return nil }
        if !passive.isEmpty, let time { pass(time) }
        forget()
        updateFullness()
        return element
    }

    /// Empties it, for what is read from another place.
    mutating func removeAll(isFromStart: Bool = false) {
        for stream in lanes.keys { lanes[stream] = PacketLane() }
        self.isFromStart = isFromStart
        bytesRead = 0
        firstTime = nil
        isFull = false
        end = nil
    }

    /// Whether nothing of a stream waits.
    func isEmpty(_ stream: Int) -> Bool { lanes[stream]?.isDry ?? true }

    /// The item time up to which a stream has been read; nil before anything was.
    func readUpTo(_ stream: Int) -> Double? { lanes[stream]?.readUpTo }

    /// The item time up to which any stream but this one has been read.
    func othersReadUpTo(_ stream: Int) -> Double? {
        lanes.filter { $0.key != stream && !passive.contains($0.key) }.compactMap(\.value.readUpTo).max()
    }

    /// The item time up to which all streams have been read, as far as they have anything; nil before they do.
    var readUpTo: Double? { activeLanes.compactMap(\.value.readUpTo).min() }

    private var activeLanes: [Int: PacketLane<Element>] {
        passive.isEmpty ? lanes : lanes.filter { !passive.contains($0.key) }
    }

    /// Bytes held, ahead and behind.
    var bytes: Int { bytesAhead + bytesBehind }

    /// Bytes that a second of item time has taken since it was emptied; nil before there was a second of it.
    var byteRate: Double? {
        guard let firstTime, let last = readUpTo, last - firstTime >= 1 else { return nil }
        return Double(bytesRead) / (last - firstTime)
    }

    /// The time of the picture of a stream that is to be seen at `time`; nil where it may not be read yet.
    func timeSeen(_ stream: Int, at time: Double) -> Double? {
        guard let (best, followers) = lanes[stream]?.timeSeen(at: time + Self.tolerance) else { return nil }
        return followers > Self.mostReordered || end != nil ? best : nil
    }

    // MARK: Going to what is held

    /// Where one can go without reading anything, in item time; nil where nowhere.
    var heldRange: TimeRange? {
        guard let guide, let lane = lanes[guide], var start = lane.firstKeyTime else { return nil }
        if isFromStart, lane.first == 0 { start = 0 }
        for (stream, lane) in activeLanes where stream != guide && !reachesStart(lane) {
            if let first = lane.firstTime { start = max(start, first) }
        }
        var last = readUpTo
        if case .complete = end { last = activeLanes.values.compactMap(\.readUpTo).max() }
        guard let last, last > start else { return nil }
        return TimeRange(start: start, end: last)
    }

    /// Goes to a time that is held, in all streams.
    ///
    /// - Parameters:
    ///   - time: the item time.
    ///   - aim: what is to be seen there.
    /// - Returns: the time of the key frame to begin with where it lies within the tolerances; else `time`. Nil, and
    ///   nothing is changed, where that place is not held.
    mutating func go(to time: Double, aim: SeekAim = .exact) -> Double? {
        guard let guide, let lane = lanes[guide] else { return nil }
        if case .broken = end { return nil }
        guard end != nil || time <= lane.readUpTo ?? -.infinity else { return nil }
        let (before, after) = (aim.toleranceBefore, aim.toleranceAfter)
        // What lies before a key frame is decoded from the one before that.
        let latest = lane.lastKey(at: aim.kind == .before ? time - Self.tolerance : time + Self.tolerance)
        var target = time
        var place: Int
        if let latest, latest.time >= time - before {
            place = latest.place
            if before > 0 { target = latest.time }
        } else if after > 0, let key = lane.firstKey(from: time, through: time + after) {
            (place, target) = (key.place, key.time)
        } else if let latest {
            place = latest.place
        } else if reachesStart(lane) {
            place = lane.first
        } else {
            return nil
        }
        var places = [guide: place]
        for (stream, lane) in lanes where stream != guide {
            if let place = lane.lastPlace(at: target - Self.preroll) {
                places[stream] = place
            } else if reachesStart(lane) || lane.first == lane.end || lane.firstTime ?? 0 <= target
                || passive.contains(stream)
            {
                places[stream] = lane.first
            } else {
                return nil
            }
        }
        for (stream, place) in places { lanes[stream]?.go(to: place) }
        updateFullness()
        return target
    }

    /// Whether a stream is held from its very beginning.
    private func reachesStart(_ lane: PacketLane<Element>) -> Bool { isFromStart && lane.first == 0 }

    private var bytesAhead: Int { lanes.values.reduce(0) { $0 + $1.bytesAhead } }
    private var bytesBehind: Int { lanes.values.reduce(0) { $0 + $1.bytesBehind } }

    /// Forgets what lies longest behind, as the budget demands.
    private mutating func forget() {
        while bytesBehind > limits.bytesBehind {
            var oldest: (stream: Int, time: Double)?
            for (stream, lane) in lanes where lane.first < lane.cursor {
                let time = lane.firstTime ?? -.infinity
                if time <= oldest?.time ?? .infinity { oldest = (stream, time) }
            }
            guard let oldest else { return }
            lanes[oldest.stream]?.forgetFirst()
        }
    }

    mutating func updateFullness() {
        let spans = activeLanes.values.map { lane -> Double in
            guard let first = lane.nextTime, let last = lane.readUpTo else { return 0 }
            return last - first
        }
        let most = spans.max() ?? 0
        let part = isFull ? Self.refillPoint : 1
        let longEnough = most >= limits.seconds * part && (spans.min() ?? 0) >= Self.leastSeconds
        isFull = Double(bytesAhead) >= Double(limits.bytes) * part || longEnough || most >= 2 * limits.seconds * part
    }
}
