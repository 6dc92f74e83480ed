public import FoundationEssentials

/// The answer to a request.
///
/// Content-Length, Date, Connection and Transfer-Encoding are the server's to set.
public struct HTTPResponse: Sendable {
    /// The status code, 200 to 599.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// What follows the headers; for HEAD it is measured and not sent.
    public var body: HTTPBody

    /// An answer of a status.
    public init(status: Int, headers: HTTPHeaders = [:], body: HTTPBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer that carries a value as JSON, keys in order.
    ///
    /// A value that cannot be encoded becomes an empty 500.
    public static func json(
        _ value: some Encodable, status: Int = 200, contentType: String = "application/json"
    ) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return HTTPResponse(status: 500) }
        return HTTPResponse(
            status: status, headers: ["Content-Type": contentType, "Cache-Control": "no-store"], body: .data(data))
    }

    /// An answer that carries plain text in UTF-8.
    public static func text(
        _ text: String, status: Int = 200, contentType: String = "text/plain; charset=utf-8"
    ) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Content-Type": contentType], body: .data(Data(text.utf8)))
    }

    /// An answer that stays open and carries events until the stream ends or the other side goes.
    ///
    /// The stream's continuation is terminated when the other side is found gone, is too slow, or the server stops.
    public static func events(_ events: AsyncStream<ServerSentEvent>) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
            body: .events(events))
    }
}

/// The body of an answer.
public enum HTTPBody: Sendable {
    /// None.
    case empty
    /// Bytes in memory.
    case data(Data)
    /// A file of this machine, or a part of it; sent by the kernel without passing through memory.
    case file(path: String, range: ByteRange?)
    /// Server-sent events, as they come.
    case events(AsyncStream<ServerSentEvent>)
}
