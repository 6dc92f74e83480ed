/// One server-sent event (WHATWG HTML §9.2), or a comment that only shows the connection lives.
public struct ServerSentEvent: Sendable, Hashable {
    /// The id that a client gives as `Last-Event-ID` when it comes back; none keeps the one before.
    public var id: String?
    /// The name of the event; none means "message".
    public var event: String?
    /// The text; may have several lines.
    public var data: String
    /// A comment: not an event. Clients drop it.
    public var comment: String?

    /// An event.
    public init(id: String? = nil, event: String? = nil, data: String) {
        self.id = id
        self.event = event
        self.data = data
    }

    /// A comment, which keeps a quiet connection known to be alive.
    public static let heartbeat = ServerSentEvent(comment: "")

    /// A comment with a text.
    public init(comment: String) {
        data = ""
        self.comment = comment
    }

    /// The lines as they go over the wire, with the empty line that ends them.
    public var encoded: String {
        if let comment { return lines(of: comment, after: ":") + "\n" }
        var text = ""
        // The fields of one line: a break in them would start another field.
        if let id, !id.utf8.contains(0) { text += "id: " + oneLine(id) + "\n" }
        if let event { text += "event: " + oneLine(event) + "\n" }
        return text + lines(of: data, after: "data: ") + "\n"
    }
}

private func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" }))
}

/// Each line of the text after a prefix. CR LF, CR and LF all end a line, as they do in the format.
private func lines(of text: String, after prefix: String) -> String {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
        .map { prefix + $0 + "\n" }.joined()
}
