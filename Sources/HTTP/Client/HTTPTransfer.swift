/// How long a transfer waits.
public struct HTTPTransferTimeouts: Sendable, Hashable {
    /// Seconds for the connection, at each redirect.
    public var connect = 8.0
    /// Seconds without a byte while a call waits for one.
    public var silence = 10.0

    /// The usual ones.
    public init() {}
}

/// The first part of a transfer's answer.
public struct HTTPTransferHead: Sendable, Hashable {
    /// The status code; every one but a followed redirect comes here.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The URL that answered, after redirects.
    public var url: String

    /// The body's announced size in bytes; nil where it is not known or the body is compressed.
    public var contentLength: Int64? {
        guard headers["Content-Encoding"].map({ sameName($0, "identity") }) ?? true else { return nil }
        return headers["Content-Length"].flatMap { decimal($0) }
    }

    /// Which part of the whole this is; nil where the server does not say or says nonsense.
    public var contentRange: ContentRange? { headers["Content-Range"].flatMap { ContentRange($0) } }
}

/// A place for transfers that come one after another: connections are kept for the next, one at a time.
///
/// Beginning a transfer ends the one before. The old connection is closed before another is opened, because servers
/// that know only one at a time hang otherwise.
public final class HTTPTransferSession: Sendable {
    /// A place for transfers; opens nothing.
    public init() {}
}

/// One GET, driven by the thread that reads it.
///
/// `head` and `read` block, so they belong to a thread of the caller's own and never to the cooperative pool.
/// Given headers go only to the origin of the given URL; cookies set on the way are kept for this transfer.
public final class HTTPTransfer: Sendable {
    /// A transfer; nothing is sent before `head` or `read`.
    ///
    /// - Parameters:
    ///   - offset: the first byte wanted; nil asks for no range.
    ///   - length: how many bytes from there; nil for all.
    ///   - session: where to find a kept connection; nil for one of its own.
    public init(
        url: String, headers: HTTPHeaders = [:], offset: Int64? = nil, length: Int64? = nil,
        timeouts: HTTPTransferTimeouts = HTTPTransferTimeouts(), session: HTTPTransferSession? = nil
    ) {
    }

    /// Waits for the answer's first part; immediate once it is there.
    ///
    /// - Throws: `HTTPError`; the same again at later calls.
    public func head() throws(HTTPError) -> HTTPTransferHead {
        throw HTTPError(.cannotConnectToHost, "The client is not there yet.")
    }

    /// Waits for bytes of the body and puts some into the buffer.
    ///
    /// - Returns: how many; 0 when the body has ended as announced.
    /// - Throws: `HTTPError`; `connectionLost` for a body that ended short.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPError) -> Int {
        throw HTTPError(.cannotConnectToHost, "The client is not there yet.")
    }

    /// Makes a blocked call, and every later one, throw `cancelled` at once. From any thread, any number of times.
    public func cancel() {}
}
