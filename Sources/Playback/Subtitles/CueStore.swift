internal import Media

/// The cues of one stream or file by time: what is up when. A pure value.
///
/// Cues may come in any order and more than once, as they do after a seek back; each is kept once.
struct CueStore {
    /// A cue with a number of its own, by which it is known again.
    struct Entry {
        var number: Int
        var cue: SubtitleCue
        /// When it goes by its own word or, where another takes it down, by that one's start.
        var end: Double { cue.end ?? .infinity }
    }

    /// What cues may take up, in bytes; beyond it the earliest go.
    let limit: Int
    /// Whether each cue takes down the one before.
    let replaces: Bool
    private(set) var byteCount = 0
    private var entries: [Entry] = []
    /// The longest cue so far, in seconds: how far back one that is still up may have begun.
    private var longest = 0.0
    private var lastNumber = 0

    /// An empty store.
    init(replaces: Bool, limit: Int = 64 << 20) {
        self.replaces = replaces
        self.limit = limit
    }

    /// How many there are.
    var count: Int { entries.count }

    /// Puts a cue in its place: after those that begin earlier, and those that begin with it and came before.
    /// - Returns: false for one that is there already.
    @discardableResult
    mutating func insert(_ cue: SubtitleCue) -> Bool {
        let place = firstIndex(after: cue.start)
        var index = place - 1
        while index >= 0, abs(entries[index].cue.start - cue.start) < 0.0005 {
            if Self.isSame(entries[index].cue, cue) { return false }
            index -= 1
        }
        lastNumber += 1
        entries.insert(Entry(number: lastNumber, cue: cue), at: place)
        if let end = cue.end { longest = max(longest, end - cue.start) }
        byteCount += cue.byteCount
        while byteCount > limit, entries.count > 1 { byteCount -= entries.removeFirst().cue.byteCount }
        return true
    }

    /// Empties it.
    mutating func removeAll() {
        entries.removeAll()
        byteCount = 0
        longest = 0
    }

    /// The cues that are up at a time, in the order they stand in the file.
    func active(at time: Double) -> [Entry] {
        let after = firstIndex(after: time)
        if replaces {
            guard after > 0 else { return [] }
            // Several may begin together: all of them are up.
            let start = entries[after - 1].cue.start
            return entries[..<after].reversed().prefix { $0.cue.start == start }.reversed()
                .filter { $0.end > time && !$0.cue.isEmpty }
        }
        var result: [Entry] = []
        var index = after - 1
        while index >= 0, entries[index].cue.start >= time - longest {
            if entries[index].end > time, !entries[index].cue.isEmpty { result.append(entries[index]) }
            index -= 1
        }
        return result.reversed()
    }

    /// The next time at which something comes or goes; nil where nothing does.
    func nextChange(after time: Double) -> Double? {
        let after = firstIndex(after: time)
        let next = after < entries.count ? entries[after].cue.start : nil
        let ends = active(at: time).map(\.end).filter { $0.isFinite }
        return (ends + [next].compactMap(\.self)).min()
    }

    /// The place of the first cue that begins later than `time`.
    private func firstIndex(after time: Double) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].cue.start <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func isSame(_ one: SubtitleCue, _ other: SubtitleCue) -> Bool {
        switch (one.content, other.content) {
        case (.text(let one), .text(let other)): return one.elementsEqual(other) { text($0) == text($1) }
        case (.bitmaps(let one, _), .bitmaps(let other, _)):
            return one.elementsEqual(other) { $0.x == $1.x && $0.y == $1.y && $0.indices == $1.indices }
        default: return false
        }
    }

    /// An event without its number, which decoders count anew after each seek.
    private static func text(_ event: String) -> Substring {
        event.firstIndex(of: ",").map { event[$0...] } ?? event[...]
    }
}
