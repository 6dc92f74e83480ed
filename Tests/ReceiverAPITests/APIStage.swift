import Casting
import Foundation
import HTTP
import Receiver
import TestSupport
import Testing

@testable import ReceiverAPI

/// The native API on a real socket, before a player that keeps the books. Every answer is held against the OpenAPI
/// document.
final class APIStage: Sendable {
    let player = FakePlayer()
    let receiver: Receiver
    let api: ReceiverAPI
    let server: HTTPServer
    let client = HTTPClient()
    let origin: String

    static let picture = Data([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])

    /// An answer.
    struct Answer: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: Data

        func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: body)
        }

        /// The error it says.
        var error: CastError? { try? decode(ProblemDetails.self).error }
        var field: String? { error?.details?["field"] }
    }

    init(
        limits: HTTPServerLimits = HTTPServerLimits(), picture: Result<Data, CastError> = .success(picture)
    ) throws {
        let capabilities = ReceiverInfo.Capabilities(
            protocols: ["http", "https"], containers: ["mp4"], videoCodecs: ["h264"], audioCodecs: ["aac"],
            screenSize: Size(width: 1280, height: 720), rates: TimeRange(start: 0.5, end: 2))
        receiver = Receiver(
            playback: player,
            settings: .init(id: "11111111-2222-3333-4444-555555555555", name: "TV", capabilities: capabilities))
        let api = ReceiverAPI(receiver: receiver, hostPolicy: HostPolicy(names: ["tv"])) {
            () async throws(CastError) -> Data in try picture.get()
        }
        self.api = api
        server = HTTPServer(limits: limits, errorResponse: { ReceiverAPI.errorResponse(status: $0) }) {
            await api.handler($0)
        }
        try server.start(port: 0, on: .loopback)
        origin = "http://127.0.0.1:\(server.port)"
    }

    /// Stopping blocks for a moment, which the tests' few threads are not for.
    deinit { Thread.detachNewThread { [server] in server.stop() } }

    /// A call with a JSON text as its body.
    func call(
        _ method: String, _ path: String, _ body: String? = nil, token: String? = nil, headers: HTTPHeaders = [:]
    ) async throws -> Answer {
        var headers = headers
        if let token { headers["Authorization"] = "Bearer " + token }
        if body != nil, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        let response = try await client.send(
            method, origin + path, headers: headers, body: body.map { Data($0.utf8) }, timeout: 30)
        let answer = Answer(status: response.status, headers: response.headers, body: response.body)
        if method != "HEAD", method != "OPTIONS" { APIDescription.shared.hold(answer, of: method, path) }
        return answer
    }

    /// Opens a session.
    func open(_ name: String = "Anna", _ takeover: Takeover = .ifIdle) async throws -> APISession {
        let answer = try await call(
            "POST", "/v1/sessions",
            #"{"sender":{"id":"\#(name.lowercased())","name":"\#(name)"},"takeover":"\#(takeover.rawValue)"}"#)
        let grant = try #require(try? answer.decode(SessionGrant.self), "\(answer.status)")
        return APISession(stage: self, id: grant.id, token: grant.token)
    }

    /// Opens a session in which something plays.
    func playing() async throws -> APISession {
        let session = try await open()
        let answer = try await session.call("PUT", "item", #"{"url":"http://host/film.mp4","title":"Film"}"#)
        try #require(answer.status == 200)
        return session
    }
}

/// A session, and short ways to call on it.
struct APISession: Sendable {
    let stage: APIStage
    let id: String
    let token: String

    func path(_ rest: String) -> String { "/v1/sessions/\(id)" + (rest.isEmpty ? "" : "/" + rest) }

    func call(_ method: String, _ rest: String, _ body: String? = nil) async throws -> APIStage.Answer {
        try await stage.call(method, path(rest), body, token: token)
    }

    /// The events of the stream, each held against the OpenAPI document.
    func events(_ query: String = "", after: String? = nil) -> AsyncThrowingStream<HTTPEventStreamElement, any Error> {
        var headers: HTTPHeaders = ["Authorization": "Bearer " + token]
        headers["Last-Event-ID"] = after
        return stage.client.events(stage.origin + path("events") + query, headers: headers, silence: 30)
    }
}

extension AsyncThrowingStream<HTTPEventStreamElement, any Error>.Iterator {
    /// The next event, heartbeats left out, held against the OpenAPI document; nil at the end of the stream.
    mutating func nextEvent() async throws -> (id: String?, event: Event)? {
        while let element = try await next() {
            guard case .event(let message) = element, message.comment == nil else { continue }
            let data = Data(message.data.utf8)
            APIDescription.shared.hold(event: message.event ?? "", data, of: "/v1/sessions/{session}/events")
            guard let event = try Event(name: message.event ?? "", payload: data) else { continue }
            return (message.id, event)
        }
        return nil
    }
}
