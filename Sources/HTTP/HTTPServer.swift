/// Where a server listens.
public enum HTTPServerAddress: Sendable, Hashable {
    /// On every interface, IPv6 and IPv4; IPv4 alone where the machine has no IPv6.
    case everywhere
    /// On 127.0.0.1 alone, for tests.
    case loopback
    /// On one IPv4 or IPv6 address, which may have a scope.
    case address(String)
}

/// An HTTP/1.1 server that answers with an async handler.
///
/// Requests beyond the limits never reach the handler. Peers cannot make it crash, hang or grow.
public final class HTTPServer: Sendable {
    /// A server, not yet listening.
    ///
    /// - Parameters:
    ///   - errorResponse: the answer for a status the server gives by itself, such as 413.
    ///   - handler: answers a request; may take as long as it likes.
    public init(
        limits: HTTPServerLimits = HTTPServerLimits(),
        errorResponse: @escaping @Sendable (Int) -> HTTPResponse = { HTTPResponse(status: $0) },
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
    }

    /// Begins to listen.
    ///
    /// - Parameter port: 0 takes any free one.
    /// - Throws: `HTTPError` with `portInUse`, or `cannotListen` for every other reason.
    public func start(port: Int, on address: HTTPServerAddress = .everywhere) throws(HTTPError) {
        throw HTTPError(.cannotListen, "The server is not there yet.")
    }

    /// The port it listens on; 0 before `start` and after `stop`.
    public var port: Int { 0 }

    /// Ends every stream and connection, and listens no more; returns within half a second.
    public func stop() {}
}
