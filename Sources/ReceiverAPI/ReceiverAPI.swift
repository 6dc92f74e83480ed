public import Casting
public import FoundationEssentials
public import HTTP
public import Receiver

/// The native front end: version 1 of castway's HTTP API. JSON in and out, server-sent events, problem+json for errors.
///
/// Give `handler` and `errorResponse(status:)` to an `HTTPServer`, or call `handler` directly. The routes are described
/// by the OpenAPI document that `GET /v1/openapi.json` answers with.
public struct ReceiverAPI: Sendable {
    let receiver: Receiver
    let hostPolicy: HostPolicy
    let capture: @Sendable () async throws(CastError) -> Data
    let log: Log

    /// A front end to `receiver`.
    ///
    /// - Parameters:
    ///   - hostPolicy: which Host headers are this machine; others are answered with 421.
    ///   - capture: a PNG of what is on the screen now.
    public init(
        receiver: Receiver, hostPolicy: HostPolicy, log: Log = .silent,
        capture: @escaping @Sendable () async throws(CastError) -> Data
    ) {
        self.receiver = receiver
        self.hostPolicy = hostPolicy
        self.capture = capture
        self.log = log
    }

    /// Answers a request.
    public func handler(_ request: HTTPRequest) async -> HTTPResponse {
        Self.errorResponse(status: 404)
    }

    /// The answer for a status that the server gives by itself, such as 413.
    public static func errorResponse(status: Int) -> HTTPResponse {
        HTTPResponse(status: status)
    }
}

extension HTTPServerLimits {
    /// The limits of a receiver's configuration. Heartbeats are the API's own.
    public init(_ limits: ReceiverConfiguration.Limits) {
        self.init()
        bodySize = limits.bodySize
        headerSize = limits.headerSize
        requestTime = limits.requestTime
        connectionsPerAddress = limits.connectionsPerAddress
        eventStreams = limits.eventStreams
        heartbeatInterval = 0
    }
}
