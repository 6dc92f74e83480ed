public import Casting
import FoundationEssentials
public import HTTP

/// A receiver's native API, as one sender uses it. Every call is bounded in time, and every error is a `CastError`.
public struct ReceiverClient: Sendable {
    /// Where the receiver is.
    public let endpoint: Endpoint
    /// What it is called in messages: its name, or its address before the name is known.
    public let name: String
    let http: HTTPClient

    /// How long things may take, in seconds.
    enum Bound {
        /// To get a connection in the local network.
        static let connect = 2.0
        /// Questions that the receiver answers from memory.
        static let question = 5.0
        /// Commands, which are answered once they have taken effect.
        static let command = 15.0
        /// Loading: the receiver gives up by itself long before.
        static let load = 45.0
    }

    /// A client of the receiver at `endpoint`.
    public init(_ endpoint: Endpoint, name: String? = nil, http: HTTPClient = HTTPClient()) {
        self.endpoint = endpoint
        self.name = name ?? endpoint.text
        self.http = http
    }

    /// Who the receiver is, and whether it is free.
    ///
    /// - Throws: `receiverUnreachable`, also where something else answers there.
    public func receiver(connectTimeout: Double = 2) async throws(CastError) -> ReceiverInfo {
        try await greet(connectTimeout: connectTimeout).info
    }

    /// Who the receiver is, and the address of this machine that faces it.
    func greet(connectTimeout: Double = 2) async throws(CastError) -> (info: ReceiverInfo, localAddress: String) {
        let answer = try await exchange("GET", "/v1/receiver", timeout: Bound.question, connectTimeout: connectTimeout)
        guard answer.status == 200, let info = try? JSONDecoder().decode(ReceiverInfo.self, from: answer.body) else {
            if let problem = problem(answer), problem.code != .notFound { throw problem }
            throw CastError(
                .receiverUnreachable, "What answers at \(endpoint.text) is no castway receiver.",
                hint: "Check the address and the port; castreceiver shows both on the screen.")
        }
        guard info.protocolVersion == Castway.protocolVersion else {
            let older = info.protocolVersion < Castway.protocolVersion ? "castreceiver there" : "castsend here"
            throw CastError(
                .receiverUnreachable, "“\(info.name)” speaks another version of the protocol.",
                hint: "Update \(older).", details: ["protocolVersion": "\(info.protocolVersion)"])
        }
        return (info, answer.localAddress)
    }

    /// Opens a session.
    ///
    /// - Throws: `receiverBusy` where another sender holds the receiver and `takeover` does not let this one in.
    public func openSession(_ request: SessionRequest) async throws(CastError) -> SessionGrant {
        do {
            return try await call("POST", "/v1/sessions", body: request)
        } catch  where error.code == .receiverBusy {
            var refused = error
            refused.hint = "Wait until it is free, or take it over with “--takeover always”."
            throw refused
        }
    }

    /// The calls on a session of this receiver.
    public func session(_ key: SessionKey) -> SessionClient { SessionClient(receiver: self, key: key) }
}

/// One exchange.
extension ReceiverClient {
    /// Sends a request and reads its answer.
    func call<Answer: Decodable>(
        _ method: String, _ path: String, body: (any Encodable)? = nil, token: String? = nil,
        timeout: Double = Bound.command
    ) async throws(CastError) -> Answer {
        let answer = try await send(method, path, body: body, token: token, timeout: timeout)
        do {
            return try JSONDecoder().decode(Answer.self, from: answer.body)
        } catch {
            throw unintelligible(answer.status)
        }
    }

    /// Sends a request whose answer need not be read.
    @discardableResult
    func send(
        _ method: String, _ path: String, body: (any Encodable)? = nil, token: String? = nil,
        timeout: Double = Bound.command
    ) async throws(CastError) -> HTTPClientResponse {
        var data: Data?
        if let body {
            guard let encoded = try? JSONEncoder.wire.encode(body) else {
                throw CastError(.invalidRequest, "The request cannot be written as JSON.")
            }
            data = encoded
        }
        let answer = try await exchange(method, path, body: data, token: token, timeout: timeout)
        guard (200..<300).contains(answer.status) else { throw problem(answer) ?? unintelligible(answer.status) }
        return answer
    }

    private func exchange(
        _ method: String, _ path: String, body: Data? = nil, token: String? = nil, timeout: Double,
        connectTimeout: Double = Bound.connect
    ) async throws(CastError) -> HTTPClientResponse {
        var headers = Self.headers(token: token)
        if body != nil { headers["Content-Type"] = "application/json" }
        do {
            return try await http.send(
                method, endpoint.httpOrigin + path, headers: headers, body: body, timeout: timeout,
                connectTimeout: connectTimeout)
        } catch {
            throw unreachable(error)
        }
    }

    static func headers(token: String?) -> HTTPHeaders {
        token.map { ["Authorization": "Bearer " + $0] } ?? [:]
    }

    /// The error an answer carries; nil where it carries none.
    func problem(_ answer: HTTPClientResponse) -> CastError? {
        try? JSONDecoder().decode(ProblemDetails.self, from: answer.body).error
    }

    private func unintelligible(_ status: Int) -> CastError {
        CastError(
            .receiverUnreachable, "\(name) gave an answer that makes no sense (status \(status)).",
            hint: "Check that castsend and castreceiver are of the same version.", details: ["status": "\(status)"])
    }

    /// What a failure of the connection means to the one who waits for the receiver.
    func unreachable(_ error: HTTPError) -> CastError {
        let details = ["reason": error.code.rawValue]
        let sentences: (String, String?)
        switch error.code {
        case .cannotFindHost:
            sentences = (
                "There is no host “\(endpoint.host)”.", "“castsend routes” lists the receivers that can be found."
            )
        case .cannotConnectToHost:
            sentences = (
                "Nothing answers at \(endpoint.text).",
                "Check that castreceiver runs there, and that no firewall closes the port."
            )
        case .timedOut:
            sentences = (
                "\(name) did not answer in time.", "Check that it is switched on and on the same network."
            )
        case .connectionLost:
            sentences = ("The connection to \(name) broke.", "Check that castreceiver still runs there.")
        case .cancelled: return CastError(.operationCancelled, "The request was given up.")
        default: sentences = ("Talking to \(name) failed: \(error.message)", nil)
        }
        return CastError(.receiverUnreachable, sentences.0, hint: sentences.1, details: details)
    }
}
