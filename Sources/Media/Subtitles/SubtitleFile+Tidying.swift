/// What is done to a text before libavformat reads it, which is stricter than the files of the real world.
extension SubtitleFile {
    /// SRT with a number before each cue, which libavformat wants and some writers leave out, and with a blank line
    /// before it.
    static func numbered(_ bytes: [UInt8]) -> [UInt8] {
        var result: [Substring] = []
        var number = 0
        for line in lines(bytes) {
            if line.contains("-->"), line.contains(where: \.isNumber) {
                number += 1
                let before = result.last.map { $0.filter { !$0.isWhitespace } } ?? ""
                if !before.isEmpty, before.allSatisfy(\.isNumber) { result.removeLast() }
                if let last = result.last, !last.isEmpty { result.append("") }
                result.append(Substring(String(number)))
            }
            result.append(line)
        }
        return joined(result)
    }

    /// WebVTT without styles, regions and notes, at which libavformat stops, and without cues whose times are none.
    static func cuesOnly(_ bytes: [UInt8]) -> [UInt8] {
        var result: [Substring] = []
        for (index, block) in lines(bytes).split(whereSeparator: { $0.allSatisfy(\.isWhitespace) }).enumerated() {
            let isCue = block.prefix(2).contains { isTiming($0) }
            guard isCue || index == 0 && block.first?.hasPrefix("WEBVTT") == true else { continue }
            result += block
            result.append("")
        }
        return joined(result)
    }

    /// Whether a line says from when to when, such as `00:01.000 --> 00:02.000 line:0`.
    private static func isTiming(_ line: Substring) -> Bool {
        guard let arrow = line.firstRange(of: "-->") else { return false }
        let start = line[..<arrow.lowerBound].split(whereSeparator: \.isWhitespace).first
        let end = line[arrow.upperBound...].split(whereSeparator: \.isWhitespace).first
        return [start, end].allSatisfy { text in
            guard let text else { return false }
            return text.contains(":") && text.contains(".") && text.allSatisfy { $0.isNumber || $0 == ":" || $0 == "." }
        }
    }

    /// An ASS script's events with their fields in the order that libavcodec and libass take for granted.
    static func inUsualOrder(_ bytes: [UInt8]) -> [UInt8] {
        let usual = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]
        var order: [String]?
        var isEvents = false
        let result = lines(bytes).map { line -> Substring in
            if line.hasPrefix("[") { isEvents = line.lowercased().hasPrefix("[events]") }
            guard isEvents, let colon = line.firstIndex(of: ":") else { return line }
            let rest = line[line.index(after: colon)...]
            switch line[..<colon].lowercased() {
            case "format":
                let fields = rest.split(separator: ",").map { trimmed($0).lowercased() }
                let isUsual = fields == usual || fields == ["marked"] + usual.dropFirst()
                order = isUsual || fields.last != "text" ? nil : fields
                return isUsual
                    ? line : "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text"
            case "dialogue":
                guard let order else { return line }
                let values = rest.split(separator: ",", maxSplits: order.count - 1, omittingEmptySubsequences: false)
                guard values.count == order.count else { return line }
                let defaults = ["layer": "0", "style": "Default", "marginl": "0", "marginr": "0", "marginv": "0"]
                let sorted = usual.map { field -> String in
                    guard let place = order.firstIndex(of: field) else { return defaults[field] ?? "" }
                    return field == "text" ? String(values[place]) : trimmed(values[place])
                }
                return Substring("Dialogue: " + sorted.joined(separator: ","))
            default: return line
            }
        }
        return joined(result)
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? "")
    }

    private static func lines(_ bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    private static func joined(_ lines: [Substring]) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }
}
