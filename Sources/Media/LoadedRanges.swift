/// Which bytes of a file are at hand: ranges in order, apart from one another. A value that only keeps books.
struct LoadedRanges: Hashable, Sendable {
    /// The ranges, from first to last; none touches the next.
    private(set) var ranges: [Range<Int64>] = []

    /// Bytes in all.
    var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// Position just after the bytes that are at hand from `position` on without a hole; `position` where there are none.
    func end(from position: Int64) -> Int64 {
        guard let range = ranges.last(where: { $0.lowerBound <= position }), range.contains(position) else {
            return position
        }
        return range.upperBound
    }

    /// Adds bytes.
    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        // Reading on is by far the most frequent.
        if let last = ranges.indices.last, ranges[last].upperBound == range.lowerBound {
            ranges[last] = ranges[last].lowerBound..<range.upperBound
            return
        }
        let touching = ranges.filter { $0.lowerBound <= range.upperBound && $0.upperBound >= range.lowerBound }
        let start = min(touching.first?.lowerBound ?? range.lowerBound, range.lowerBound)
        let end = max(touching.last?.upperBound ?? range.upperBound, range.upperBound)
        ranges.removeAll { $0.lowerBound <= range.upperBound && $0.upperBound >= range.lowerBound }
        let place = ranges.firstIndex { $0.lowerBound > start } ?? ranges.endIndex
        ranges.insert(start..<end, at: place)
    }

    /// Takes bytes away.
    mutating func remove(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        ranges = ranges.flatMap { kept -> [Range<Int64>] in
            guard kept.overlaps(range) else { return [kept] }
            let before = kept.lowerBound..<max(kept.lowerBound, range.lowerBound)
            let after = min(kept.upperBound, range.upperBound)..<kept.upperBound
            return [before, after].filter { !$0.isEmpty }
        }
    }
}

/// How many bytes of a playing item are kept, so that going to where it has been asks nothing of the network.
///
/// Reading ahead is decided elsewhere: whoever takes packets reads as far as it wants them, keeps them, and not a byte is
/// fetched for the cache alone. What it took passes through here and stays while there is room: for what packets do not
/// hold, which is a container's index and places from before a jump. Both figures count from the reading place, and
/// together they bound the memory of a film, and of all segments of a stream.
public struct CacheBudget: Hashable, Sendable {
    /// Bytes after the reading place.
    public var ahead: Int
    /// Bytes before the reading place.
    public var behind: Int

    /// A budget.
    public init(ahead: Int = 16 << 20, behind: Int = 16 << 20) {
        self.ahead = max(0, ahead)
        self.behind = max(0, behind)
    }

    /// Bytes in all.
    var total: Int { ahead + behind }

    /// Which blocks to give up.
    ///
    /// - Parameters:
    ///   - blocks: the numbers of the blocks held; a block's bytes begin at its number times `size`.
    ///   - place: the number of the block being read, which stays.
    func surplus(of blocks: some Sequence<Int64>, size: Int, around place: Int64) -> [Int64] {
        let sorted = blocks.sorted()
        let before = sorted.filter { $0 < place }
        let after = sorted.filter { $0 > place }
        return before.dropLast(behind / size) + after.dropFirst(ahead / size)
    }
}
