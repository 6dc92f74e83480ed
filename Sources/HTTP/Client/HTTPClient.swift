public import FoundationEssentials

/// What an event stream gives.
public enum HTTPEventStreamElement: Sendable, Hashable {
    /// The server has agreed; events follow.
    case opened(HTTPResponseHead)
    /// An event.
    case event(ServerSentEvent)
}

/// A client for requests small enough for memory, and for event streams.
///
/// Connections are kept and used again. Proxies of the environment are not used: it speaks to the local network.
/// Given headers go only to the origin of the given URL; a redirect elsewhere drops them. At most 8 redirects.
public struct HTTPClient: Sendable {
    /// A client with connections of its own; costs nothing before its first request.
    public init() {}

    /// Sends a request and waits for the whole answer, of any status.
    ///
    /// - Parameters:
    ///   - timeout: seconds for all of it, redirects included.
    ///   - connectTimeout: seconds for the connection.
    ///   - bodyLimit: the largest answer taken, in bytes; more is `badResponse`.
    /// - Throws: `HTTPError`; `cancelled` where the task is.
    public func send(
        _ method: String, _ url: String, headers: HTTPHeaders = [:], body: Data? = nil, timeout: Double = 10,
        connectTimeout: Double = 5, bodyLimit: Int = 32 << 20
    ) async throws(HTTPError) -> HTTPClientResponse {
        throw HTTPError(.cannotConnectToHost, "The client is not there yet.")
    }

    /// Opens an event stream, and gives first its head and then its events, until it ends or fails.
    ///
    /// An answer that is not an event stream fails with `badResponse` and the answer in it.
    /// - Parameter silence: seconds without a byte, not even a heartbeat, after which it fails with `timedOut`.
    public func events(
        _ url: String, headers: HTTPHeaders = [:], silence: Double = 30, connectTimeout: Double = 5
    ) -> AsyncThrowingStream<HTTPEventStreamElement, any Error> {
        AsyncThrowingStream { $0.finish(throwing: HTTPError(.cannotConnectToHost, "The client is not there yet.")) }
    }
}
