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
    private let engine = CurlEngine()

    /// A client with connections of its own; costs nothing before its first request.
    public init() {}

    /// Sends a request and waits for the whole answer, of any status.
    ///
    /// - Parameters:
    ///   - timeout: seconds for all of it, redirects included.
    ///   - connectTimeout: seconds for the connection, at each redirect.
    ///   - bodyLimit: the largest answer taken, in bytes; more is `badResponse`.
    /// - Throws: `HTTPError`; `cancelled` where the task is.
    public func send(
        _ method: String, _ url: String, headers: HTTPHeaders = [:], body: Data? = nil, timeout: Double = 10,
        connectTimeout: Double = 5, bodyLimit: Int = 32 << 20
    ) async throws(HTTPError) -> HTTPClientResponse {
        var description = CurlRequestDescription(url: try WebURL(url), connectTimeout: connectTimeout)
        description.method = method
        description.headers = headers
        description.body = body.map { Array($0) }
        return try await result(of: description, timeout: timeout, bodyLimit: bodyLimit).get()
    }

    private func result(
        of description: CurlRequestDescription, timeout: Double, bodyLimit: Int
    ) async -> Result<HTTPClientResponse, HTTPError> {
        let id = CurlJob.newID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                engine.submit(
                    CurlJob(
                        id: id, description: description, timeout: timeout, silence: nil,
                        destination: .whole(limit: bodyLimit, continuation)))
                // The handler may have run before there was anything to cancel.
                if Task.isCancelled { engine.cancel(id) }
            }
        } onCancel: {
            engine.cancel(id)
        }
    }

    /// Opens an event stream, and gives first its head and then its events, until it ends or fails.
    ///
    /// An answer that is not an event stream fails with `badResponse` and the answer in it. The request ends when the
    /// stream's reader does.
    /// - Parameter silence: seconds without a byte, not even a heartbeat, after which it fails with `timedOut`.
    public func events(
        _ url: String, headers: HTTPHeaders = [:], silence: Double = 30, connectTimeout: Double = 5
    ) -> AsyncThrowingStream<HTTPEventStreamElement, any Error> {
        AsyncThrowingStream { continuation in
            do {
                var description = CurlRequestDescription(url: try WebURL(url), connectTimeout: connectTimeout)
                description.headers = headers
                description.ownHeaders["Accept"] = "text/event-stream"
                let id = CurlJob.newID()
                continuation.onTermination = { [engine] _ in engine.cancel(id) }
                engine.submit(
                    CurlJob(
                        id: id, description: description, timeout: nil, silence: silence,
                        destination: .events(continuation)))
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }
}
