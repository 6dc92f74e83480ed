/// Puts the plain cues that are up at a time together, so that they stand in the order people expect.
///
/// libass alone would put the first at the bottom and move the others about as one of them goes.
enum PlainText {
    /// The events to give to libass: those that stand at the same place as one, in order.
    ///
    /// - Parameters:
    ///   - events: as the decoder gives them, `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`, in the
    ///     order of the file.
    ///   - stacksUpwards: whether the first stands at the bottom.
    static func blocks(_ events: [String], stacksUpwards: Bool) -> [String] {
        guard events.count > 1 else { return events }
        var blocks: [(place: [Substring], texts: [Substring])] = []
        for event in events {
            let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
            guard fields.count == 9 else { continue }
            // Style, margins and where it is aligned; what has a position of its own stays by itself.
            var place = Array(fields[1...7])
            place.append(alignment(of: fields[8]))
            let isAlone = fields[8].contains("\\pos") || fields[8].contains("\\move")
            if !isAlone, let index = blocks.firstIndex(where: { $0.place == place }) {
                blocks[index].texts.append(fields[8])
            } else {
                if isAlone { place.append(Substring("\(blocks.count)")) }
                blocks.append((place, [fields[8]]))
            }
        }
        return blocks.enumerated().map { index, block in
            // What one text has set must not go on in the next.
            let texts = stacksUpwards ? block.texts.reversed() : block.texts
            let text = texts.map { $0.trimmedBreaks }.joined(separator: "\\N{\\r}")
            return "\(index),\(block.place[..<7].joined(separator: ",")),\(text)"
        }
    }

    /// The first command that aligns a text, such as `\an8`; empty where there is none.
    private static func alignment(of text: Substring) -> Substring {
        guard let start = text.firstRange(of: "\\an")?.upperBound, start < text.endIndex, text[start].isNumber else {
            return ""
        }
        return text[start...start]
    }
}

extension Substring {
    /// The text without line breaks at its end.
    fileprivate var trimmedBreaks: Substring {
        var text = self
        while text.hasSuffix("\\N") { text = text.dropLast(2) }
        return text
    }
}
