/// The index of a fragmented MP4 (ISO/IEC 14496-12 §8.16.3, the box "sidx"): where its pieces lie and how long they last.
enum SegmentIndex {
    /// The pieces that an index names.
    ///
    /// - Parameters:
    ///   - box: the bytes of the box.
    ///   - position: where it lies in the file.
    /// - Returns: nil where it is none, or one that names further indexes.
    static func segments(
        _ box: [UInt8], at position: Int64
    ) -> [(first: Int64, count: Int64, duration: Double)]? {
        func number(_ place: Int, _ width: Int) -> UInt64? {
            guard place >= 0, place + width <= box.count else { return nil }
            return box[place..<(place + width)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard box.count >= 32, Array("sidx".utf8) == Array(box[4..<8]), let length = number(0, 4),
            let timescale = number(16, 4), timescale > 0
        else { return nil }
        let isLong = box[8] != 0
        guard let gap = isLong ? number(28, 8) : number(24, 4), let count = number(isLong ? 38 : 30, 2) else {
            return nil
        }
        var first = position + Int64(length) + Int64(clamping: gap)
        var place = isLong ? 40 : 32
        var result: [(first: Int64, count: Int64, duration: Double)] = []
        for _ in 0..<count {
            guard let size = number(place, 4), let duration = number(place + 4, 4), size >> 31 == 0, size > 0 else {
                return nil
            }
            result.append((first, Int64(size), Double(duration) / Double(timescale)))
            first += Int64(size)
            place += 12
        }
        return result.isEmpty ? nil : result
    }
}
