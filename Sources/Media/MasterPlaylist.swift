/// A master playlist of HLS (RFC 8216 §4.3.4), to be cut down to the one variant that is played.
///
/// libavformat would begin to load every variant, and never changes from one to another.
struct MasterPlaylist {
    /// Height in pixels above which a variant is not for a television's screen that castway draws on.
    static let sensibleHeight = 1080

    private struct Variant {
        var attributes: [String: String]
        var lines: [Int]
        var bandwidth: Int { Int(attributes["BANDWIDTH"] ?? "") ?? 0 }
        var height: Int? { attributes["RESOLUTION"]?.split(separator: "x").last.flatMap { Int($0) } }
        var isHDR: Bool { (attributes["VIDEO-RANGE"] ?? "SDR") != "SDR" }
    }

    private let lines: [String]
    private var variants: [Variant] = []
    private var renditions: [Int: [String: String]] = [:]
    private var left: Set<Int> = []

    /// Reads a playlist; nil where it is not a master playlist.
    init?(_ text: String) {
        lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
        var open: Variant?
        for (number, line) in lines.enumerated() {
            if let list = line.dropping("#EXT-X-STREAM-INF:") {
                // Without an address it is of no use, and must not take that of another.
                if let open { left.formUnion(open.lines) }
                open = Variant(attributes: Self.attributes(list), lines: [number])
            } else if let list = line.dropping("#EXT-X-MEDIA:") {
                renditions[number] = Self.attributes(list)
            } else if line.hasPrefix("#EXT-X-I-FRAME-STREAM-INF:") {
                left.insert(number)
            } else if !line.hasPrefix("#"), line.contains(where: { !$0.isWhitespace }), var variant = open {
                variant.lines.append(number)
                variants.append(variant)
                open = nil
            }
        }
        if variants.isEmpty { return nil }
        if let open { left.formUnion(open.lines) }
    }

    /// The same playlist with only the best sensible variant, and what goes with it.
    var reduced: String {
        guard let chosen else { return lines.joined(separator: "\n") }
        var left = left
        for variant in variants { left.formUnion(variant.lines) }
        left.subtract(chosen.lines)
        for (number, attributes) in renditions {
            let type = attributes["TYPE"] ?? ""
            let isWanted =
                ["AUDIO", "VIDEO", "SUBTITLES"].contains(type)
                && attributes["GROUP-ID"] == chosen.attributes[type] && attributes["GROUP-ID"] != nil
            if !isWanted { left.insert(number) }
        }
        return lines.indices.filter { !left.contains($0) }.map { lines[$0] }.joined(separator: "\n")
    }

    private var chosen: Variant? {
        // Sound alone is for bad networks; what is made for HDR has to be mapped; and then as large as sensible.
        let pictures = variants.filter { $0.height != nil }
        let candidates = pictures.isEmpty ? variants : pictures
        let plain = candidates.filter { !$0.isHDR }
        let range = plain.isEmpty ? candidates : plain
        let sensible = range.filter { ($0.height ?? 0) <= Self.sensibleHeight }
        guard sensible.isEmpty else {
            return sensible.max { ($0.height ?? 0, $0.bandwidth) < ($1.height ?? 0, $1.bandwidth) }
        }
        return range.min { ($0.height ?? 0, $0.bandwidth) < ($1.height ?? 0, $1.bandwidth) }
    }

    /// An attribute list (RFC 8216 §4.2): names with values, which may be in quotes and hold commas there.
    static func attributes(_ list: Substring) -> [String: String] {
        var result: [String: String] = [:]
        var rest = list
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].filter { $0 != " " && $0 != "," }
            rest = rest[rest.index(after: equals)...]
            let value: Substring
            if rest.first == "\"" {
                rest = rest.dropFirst()
                value = rest.prefix { $0 != "\"" }
                rest = rest.dropFirst(value.count).drop { $0 != "," }
            } else {
                value = rest.prefix { $0 != "," }
                rest = rest.dropFirst(value.count)
            }
            result[name] = String(value)
        }
        return result
    }
}

extension String {
    fileprivate func dropping(_ prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
