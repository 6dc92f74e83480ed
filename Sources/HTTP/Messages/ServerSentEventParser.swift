/// Takes server-sent events out of bytes as they come (WHATWG HTML §9.2.6).
public struct ServerSentEventParser: Sendable {
    /// A stream whose unfinished line or event is longer than the parser keeps.
    public struct TooLong: Error {}

    /// The last id seen, to go on from after a break.
    public private(set) var lastEventID: String?
    /// The wait before coming back that the server asked for, in seconds.
    public private(set) var retry: Double?

    private let limit: Int
    private var line: [UInt8] = []
    private var data: String?
    private var name: String?
    private var sawReturn = false
    private var isFirstLine = true
    private var size = 0

    /// A parser at the start of a stream.
    ///
    /// - Parameter limit: the largest line and event kept, in bytes.
    public init(limit: Int = 4 << 20) {
        self.limit = limit
    }

    /// The events that these bytes complete. Comments give none.
    ///
    /// - Throws: `TooLong`; the parser is of no more use then.
    public mutating func parse(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            defer { sawReturn = byte == 13 }
            if byte == 10, sawReturn { continue }
            guard byte == 10 || byte == 13 else {
                line.append(byte)
                size += 1
                guard size <= limit else { throw TooLong() }
                continue
            }
            if line.isEmpty {
                if let event = dispatch() { events.append(event) }
            } else {
                take(line)
                line.removeAll(keepingCapacity: true)
            }
            isFirstLine = false
        }
        return events
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer {
            data = nil
            name = nil
            size = 0
        }
        return data.map { ServerSentEvent(id: lastEventID, event: name, data: $0) }
    }

    private mutating func take(_ bytes: [UInt8]) {
        var text = String(decoding: bytes, as: UTF8.self)
        if isFirstLine, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let field = parts.first, !field.isEmpty else {
            // A comment is not kept, so it does not count.
            size = data?.utf8.count ?? 0
            return
        }
        var value = parts.count > 1 ? parts[1] : ""
        if value.first == " " { value = value.dropFirst() }
        switch field {
        case "data": data = data.map { $0 + "\n" + value } ?? String(value)
        case "event": name = value.isEmpty ? nil : String(value)
        case "id": if !value.utf8.contains(0) { lastEventID = String(value) }
        case "retry":
            if !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }), let milliseconds = Double(value) {
                retry = milliseconds / 1000
            }
        default: break
        }
    }
}
