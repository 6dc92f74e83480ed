public import Casting
public import FoundationEssentials
public import HTTP
public import Receiver

/// The native front end: version 1 of castway's HTTP API. JSON in and out, server-sent events, problem+json for errors.
///
/// Give `handler` and `errorResponse(status:)` to an `HTTPServer`, or call `handler` directly. The routes are described
/// by the OpenAPI document that `GET /v1/openapi.json` answers with.
public struct ReceiverAPI: Sendable {
    /// Seconds of silence on an event stream after which a comment shows that it lives: two of them can go missing before
    /// the 5 s in which a sender is to notice a loss.
    public static let heartbeat = 2.0

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
        let response: HTTPResponse
        do throws(CastError) {
            response = try await answer(request)
        } catch {
            response = .problem(error)
        }
        // The path may hold a session's id, which is no secret; the query is left out.
        log.debug("\(request.peer) \(request.method) \(request.path.prefix(200)) \(response.status)")
        return response
    }

    private func answer(_ request: HTTPRequest) async throws(CastError) -> HTTPResponse {
        guard hostPolicy.allows(request.headers["Host"]) else {
            throw CastError(
                .misdirectedRequest, "This receiver does not go by that name.",
                hint: "Use its address, or add the name to network.allowedHostNames in its configuration.")
        }
        let matches = APIOperation.all.compactMap { operation in
            operation.match(request.pathComponents).map { (operation, $0) }
        }
        guard !matches.isEmpty else {
            throw CastError(
                .notFound, "There is no such path.", hint: "GET /v1/openapi.json describes those there are.")
        }
        let allowed = Self.allowed(matches.map(\.0))
        if request.method == "OPTIONS" { return HTTPResponse(status: 204, headers: ["Allow": allowed]) }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let (operation, parameters) = matches.first(where: { $0.0.method == method }) else {
            var response = HTTPResponse.problem(
                CastError(.methodNotAllowed, "This path does not know that method.", hint: "It knows \(allowed)."))
            response.headers.set("Allow", allowed)
            return response
        }
        let call = Call(api: self, request: request, parameters: parameters)
        if operation.needsSession {
            try await receiver.authorize(
                session: call.session, token: request.bearerToken, evenIfEnded: operation.tellsOfTheEnd)
        }
        return try await operation.perform(call)
    }

    private static func allowed(_ operations: [APIOperation]) -> String {
        let methods = Set(operations.map(\.method))
        return (methods.union(methods.contains("GET") ? ["HEAD", "OPTIONS"] : ["OPTIONS"])).sorted()
            .joined(separator: ", ")
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
