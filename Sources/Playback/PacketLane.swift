/// The packets of one stream that are held: those behind, which have been decoded, and those ahead, which have not.
///
/// Places count up from the first packet after it was emptied, whatever has been forgotten since.
struct PacketLane<Element> {
    private struct Entry {
        var element: Element
        var time: Double?
        var bytes: Int
    }

    private var storage: [Entry?] = []
    /// The place of `storage`'s first.
    private var origin = 0
    /// The places of what decoding can begin with, and their times.
    private var keys: [(place: Int, time: Double)] = []
    private var firstKey = 0
    /// The place of the first packet that is still held.
    private(set) var first = 0
    /// The place of the packet that comes out next.
    private(set) var cursor = 0
    /// Bytes before the cursor, and from it on.
    private(set) var bytesBehind = 0
    private(set) var bytesAhead = 0
    /// The item time that has been read up to; nil before anything was.
    private(set) var readUpTo: Double?

    /// An empty one.
    init() {}

    /// The place after the last packet.
    var end: Int { origin + storage.count }

    /// Whether nothing is ahead.
    var isDry: Bool { cursor == end }

    /// The item time of what comes out next; nil where nothing does, or it has none.
    var nextTime: Double? { cursor < end ? storage[cursor - origin]?.time : nil }

    /// The item time of the first packet held.
    var firstTime: Double? { first < end ? storage[first - origin]?.time : nil }

    /// The item time of the first packet held that decoding can begin with.
    var firstKeyTime: Double? { firstKey < keys.count ? keys[firstKey].time : nil }

    /// Puts a packet at the end.
    mutating func append(_ element: Element, time: Double?, duration: Double?, bytes: Int, isKey: Bool) {
        if isKey { keys.append((end, time ?? readUpTo ?? 0)) }
        storage.append(Entry(element: element, time: time, bytes: bytes))
        bytesAhead += bytes
        guard let time else { return }
        let end = time + (duration ?? 0)
        readUpTo = max(readUpTo ?? end, end)
    }

    /// Takes the next packet out; it stays held.
    mutating func pop() -> Element? {
        guard cursor < end, let entry = storage[cursor - origin] else { return nil }
        cursor += 1
        bytesAhead -= entry.bytes
        bytesBehind += entry.bytes
        return entry.element
    }

    /// The places from which on to decode for something to be seen or heard at `time`, the latest first.
    func lastKey(at time: Double) -> (place: Int, time: Double)? {
        keys[firstKey...].last { $0.time <= time }
    }

    /// The first place within a stretch of time that decoding can begin with.
    func firstKey(from start: Double, through end: Double) -> (place: Int, time: Double)? {
        keys[firstKey...].first { $0.time >= start && $0.time <= end }
    }

    /// The latest place whose packet begins at `time` or before it.
    func lastPlace(at time: Double) -> Int? {
        var place = end
        while place > first {
            place -= 1
            if let begin = storage[place - origin]?.time, begin <= time { return place }
        }
        return nil
    }

    /// The time of the picture to be seen at `time`, by the packets from the cursor on.
    ///
    /// - Returns: nil where none of them is; else also how many packets are seen after it: they come in decoding order, so
    ///   that a few more may still bring a better one.
    func timeSeen(at time: Double) -> (best: Double, followers: Int)? {
        var (best, followers): (Double?, Int) = (nil, 0)
        for place in cursor..<end {
            guard let begin = storage[place - origin]?.time else { return nil }
            if begin > time { followers += 1 } else { best = max(best ?? begin, begin) }
        }
        return best.map { ($0, followers) }
    }

    /// Goes to a place that is held.
    mutating func go(to place: Int) {
        while cursor < place, let entry = storage[cursor - origin] {
            bytesAhead -= entry.bytes
            bytesBehind += entry.bytes
            cursor += 1
        }
        while cursor > place, let entry = storage[cursor - 1 - origin] {
            bytesAhead += entry.bytes
            bytesBehind -= entry.bytes
            cursor -= 1
        }
    }

    /// Forgets what lies longest behind.
    mutating func forgetFirst() {
        guard first < cursor else { return }
        bytesBehind -= storage[first - origin]?.bytes ?? 0
        storage[first - origin] = nil
        first += 1
        while firstKey < keys.count, keys[firstKey].place < first { firstKey += 1 }
        if first - origin > 64, (first - origin) * 2 > storage.count {
            storage.removeFirst(first - origin)
            origin = first
        }
        if firstKey > 64, firstKey * 2 > keys.count {
            keys.removeFirst(firstKey)
            firstKey = 0
        }
    }
}
