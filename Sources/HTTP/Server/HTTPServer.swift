import Synchronization

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
    private let makeDaemon: @Sendable () -> ServerDaemon
    private let daemon = Mutex<ServerDaemon?>(nil)

    /// A server, not yet listening.
    ///
    /// - Parameters:
    ///   - errorResponse: the answer for a status the server gives by itself: 400, 404, 408, 413, 431, 503.
    ///   - handler: answers a request; may take as long as it likes. Its task is cancelled when the server stops.
    public init(
        limits: HTTPServerLimits = HTTPServerLimits(),
        errorResponse: @escaping @Sendable (Int) -> HTTPResponse = { HTTPResponse(status: $0) },
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        makeDaemon = { ServerDaemon(limits: limits, errorResponse: errorResponse, handler: handler) }
    }

    deinit {
        stop()
    }

    /// Begins to listen; a server that listens already is left as it is.
    ///
    /// - Parameter port: 0 takes any free one.
    /// - Throws: `HTTPError` with `portInUse`, or `cannotListen` for every other reason.
    public func start(port: Int, on address: HTTPServerAddress = .everywhere) throws(HTTPError) {
        try daemon.withLock { (daemon) throws(HTTPError) in
            guard daemon == nil else { return }
            let new = makeDaemon()
            try new.start(port: port, on: address)
            daemon = new
        }
    }

    /// The port it listens on; 0 before `start` and after `stop`.
    public var port: Int { daemon.withLock { $0?.port ?? 0 } }

    /// Ends every stream and connection, and listens no more; returns within half a second.
    ///
    /// Answers that are on their way get a moment to leave. It may be started again.
    public func stop() {
        let daemon = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        daemon?.stop()
    }
}
