import CFFmpeg

/// Where a WebVTT cue stands (W3C WebVTT §4.4), as far as ASS can say it. libavcodec's decoder leaves it out.
package struct WebVTTSettings: Equatable, Sendable {
    /// Where text stands within its box.
    package enum Alignment: Equatable, Sendable {
        case start, centre, end
    }

    /// How high the box stands.
    package enum Line: Equatable, Sendable {
        /// So many lines from the top, or from the bottom where negative.
        case number(Int)
        /// Hundredths of the height from the top to the box's given edge.
        case percent(Double, Alignment)
    }

    package var alignment = Alignment.centre
    package var position: Double?
    package var positionAlignment: Alignment?
    package var line: Line?
    /// The box's width in hundredths of the picture's.
    package var size = 100.0

    /// Reads settings such as `line:0 position:20%,line-left align:start`. What makes no sense is passed over.
    package init(_ text: String) {
        for part in text.split(whereSeparator: \.isWhitespace) {
            guard let colon = part.firstIndex(of: ":") else { continue }
            let values = part[part.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
            guard let value = values.first else { continue }
            let second = values.count > 1 ? Self.alignment(values[1]) : nil
            switch part[..<colon] {
            case "align": alignment = Self.alignment(value) ?? alignment
            case "position":
                guard let percent = Self.percent(value) else { continue }
                position = percent
                positionAlignment = second
            case "size": size = Self.percent(value) ?? size
            case "line":
                if let percent = Self.percent(value) {
                    line = .percent(percent, second ?? .start)
                } else if let number = Double(value), abs(number) < 1000 {
                    line = .number(Int(number.rounded(.down)))
                }
            default: continue
            }
        }
    }

    /// The settings that libavformat keeps beside a cue; nil where there are none.
    init?(sideDataOf packet: UnsafeMutablePointer<AVPacket>) {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_WEBVTT_SETTINGS, &size), size > 0 else {
            return nil
        }
        self.init(String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self))
    }

    private static func percent(_ text: Substring) -> Double? {
        guard text.last == "%", let value = Double(text.dropLast()), (0...100).contains(value) else { return nil }
        return value
    }

    private static func alignment(_ text: Substring) -> Alignment? {
        switch text {
        case "start", "left", "line-left": .start
        case "center", "middle": .centre
        case "end", "right", "line-right": .end
        default: nil
        }
    }

    /// The size of the script that libavcodec writes.
    private static let (width, height) = (384.0, 288.0)
    /// How high a line of the script's standard style is, with the gap to the next.
    private static let lineHeight = 18.0

    /// An event of libavcodec's (`ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`), standing where these
    /// settings say.
    package func apply(to event: String) -> String {
        var fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 9 else { return event }
        let (left, width) = box
        let (row, vertical) = place
        if width < 100 {
            fields[4] = String(max(2, Int(left * Self.width / 100)))
            fields[5] = String(max(2, Int((100 - left - width) * Self.width / 100)))
        }
        if let vertical { fields[6] = String(max(1, Int(vertical))) }
        let column = alignment == .start ? 1 : alignment == .centre ? 2 : 3
        fields[8] = "{\\an\(row * 3 + column)}" + fields[8]
        return fields.joined(separator: ",")
    }

    /// The box's left edge and width, in hundredths.
    private var box: (left: Double, width: Double) {
        let position = position ?? (alignment == .start ? 0 : alignment == .centre ? 50 : 100)
        switch positionAlignment ?? alignment {
        case .start: return (position, min(size, 100 - position))
        case .centre:
            let width = min(size, 2 * min(position, 100 - position))
            return (position - width / 2, width)
        case .end:
            let width = min(size, position)
            return (position - width, width)
        }
    }

    /// Whether the box hangs from the top (2) or stands on the bottom (0), and how far off; nil for the usual distance.
    private var place: (row: Int, margin: Double?) {
        switch line {
        case nil: return (0, nil)
        case .number(let number):
            if number >= 0 { return (2, Double(number) * Self.lineHeight) }
            return (0, number == -1 ? nil : Double(-number - 1) * Self.lineHeight)
        case .percent(let percent, let edge):
            let y = percent * Self.height / 100
            switch edge {
            case .end: return (0, Self.height - y)
            case .centre: return (2, y - Self.lineHeight / 2)
            // Further down two lines would not fit between there and the edge: the box stands with its foot there.
            case .start:
                return y > Self.height - 2.5 * Self.lineHeight ? (0, Self.height - y - Self.lineHeight) : (2, y)
            }
        }
    }
}
