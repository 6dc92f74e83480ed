/// A media playlist of HLS (RFC 8216 §4.3.3): its segments, to be cut to what follows a time.
///
/// This is how media is sought of which libavformat finds nothing after a seek: fragmented MP4, and what comes after a
/// discontinuity.
struct MediaPlaylist {
    struct Segment {
        /// Its lines, without those that hold for later ones too.
        var lines: [String]
        /// The keys and the map that hold for it.
        var holding: [String]
        /// Seconds from the playlist's first segment.
        var start: Double
        var duration: Double
        /// How many discontinuities come before it.
        var discontinuities: Int
    }

    private(set) var segments: [Segment] = []
    /// Whether nothing more is added.
    private(set) var isFinished = false
    /// The number of the first segment.
    private(set) var sequence = 0
    private var header: [String] = []

    /// Reads a playlist; nil where it has no segments.
    init?(_ text: String) {
        var keys: [String] = []
        var map: String?
        var lines: [String] = []
        var start = 0.0
        var duration = 0.0
        var jumps = 0
        var lastWasKey = false
        var ends: [String: Int] = [:]
        for line in text.split(whereSeparator: \.isNewline).map(String.init) {
            let isKey = line.hasPrefix("#EXT-X-KEY:")
            defer { lastWasKey = isKey }
            if isKey {
                keys = lastWasKey ? keys + [line] : [line]
            } else if line.hasPrefix("#EXT-X-MAP:") {
                map = line
            } else if line == "#EXT-X-ENDLIST" {
                isFinished = true
            } else if let number = line.after("#EXT-X-MEDIA-SEQUENCE:") {
                sequence = Int(number.filter(\.isNumber)) ?? 0
            } else if line.hasPrefix("#EXT-X-DISCONTINUITY-SEQUENCE") {
                continue
            } else if line == "#EXT-X-DISCONTINUITY" {
                jumps += segments.isEmpty && lines.isEmpty ? 0 : 1
                lines.append(line)
            } else if let value = line.after("#EXTINF:") {
                duration = Double(value.prefix { $0 != "," }.filter { !$0.isWhitespace }) ?? 0
                lines.append(line)
            } else if line.hasPrefix("#EXT-X-BYTERANGE:") || line.hasPrefix("#EXT-X-PROGRAM-DATE-TIME") {
                lines.append(line)
            } else if line.hasPrefix("#") {
                if segments.isEmpty { header.append(line) }
            } else if line.contains(where: { !$0.isWhitespace }) {
                if let place = lines.firstIndex(where: { $0.hasPrefix("#EXT-X-BYTERANGE:") }) {
                    lines[place] = Self.placed(lines[place], after: &ends[line])
                }
                segments.append(
                    Segment(
                        lines: lines + [line], holding: keys + [map].compactMap { $0 }, start: start,
                        duration: max(0, duration), discontinuities: jumps))
                start += max(0, duration)
                duration = 0
                lines = []
            }
        }
        if segments.isEmpty { return nil }
    }

    /// Seconds in all.
    var duration: Double { segments.last.map { $0.start + $0.duration } ?? 0 }

    /// Whether its clock may jump.
    var hasDiscontinuities: Bool { segments.last.map { $0.discontinuities > 0 } ?? false }

    /// The segment that is shown at a time.
    func segment(at time: Double) -> Segment {
        segments.last { $0.start <= time } ?? segments[0]
    }

    /// The same playlist from the segment on that is shown at a time.
    func text(from time: Double) -> String {
        let first = segments.lastIndex { $0.start <= time } ?? 0
        var lines = header + ["#EXT-X-MEDIA-SEQUENCE:\(sequence + first)"]
        if lines.first != "#EXTM3U" { lines.insert("#EXTM3U", at: 0) }
        var holding: [String] = []
        for (place, segment) in segments[first...].enumerated() {
            if segment.holding != holding { lines += segment.holding }
            holding = segment.holding
            lines += place == 0 ? segment.lines.filter { $0 != "#EXT-X-DISCONTINUITY" } : segment.lines
        }
        if isFinished { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A range with its place in the file said, which may be left out after the one before.
    private static func placed(_ line: String, after end: inout Int?) -> String {
        let parts = line.dropFirst(17).split(separator: "@").compactMap { Int($0.filter(\.isNumber)) }
        guard let count = parts.first else { return line }
        let first = parts.count > 1 ? parts[1] : end ?? 0
        end = first &+ count
        return "#EXT-X-BYTERANGE:\(count)@\(first)"
    }
}

extension String {
    fileprivate func after(_ prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
