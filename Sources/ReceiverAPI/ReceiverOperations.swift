import Casting
import FoundationEssentials
import HTTP
import Receiver

extension APIOperation {
    /// What needs no session: who the receiver is, and whether it is free.
    static let receiverOperations: [APIOperation] = [
        APIOperation("GET", "/v1/receiver") { call throws(CastError) in .json(await call.api.receiver.info) },
        APIOperation("GET", "/v1/events") { call throws(CastError) in call.availabilityEvents() },
        APIOperation("GET", "/v1/openapi.json") { _ throws(CastError) in
            HTTPResponse(
                status: 200, headers: ["Content-Type": "application/json"],
                body: .data(ReceiverAPI.openAPIDocument))
        },
    ]

    /// Opening and ending a session, and hearing what happens in it.
    static let sessionOperations: [APIOperation] = [
        APIOperation("POST", "/v1/sessions") { call throws(CastError) in
            let grant = try await call.api.receiver.open(call.body(SessionRequest.self))
            var response = HTTPResponse.json(grant.sent(at: .now), status: 201)
            response.headers.set("Location", "/v1/sessions/\(grant.id)")
            return response
        },
        APIOperation("DELETE", "/v1/sessions/{session}") { call throws(CastError) in
            .json(try await call.api.receiver.end(session: call.session))
        },
        APIOperation("GET", "/v1/sessions/{session}/events") { call throws(CastError) in try await call.sessionEvents()
        },
        APIOperation("GET", "/v1/sessions/{session}/accessLog") { call throws(CastError) in
            let log = call.api.receiver.accessLog
            return call.wantsPlainText ? .plainText(log.extendedLogText) : .json(log)
        },
        APIOperation("GET", "/v1/sessions/{session}/errorLog") { call throws(CastError) in
            let log = call.api.receiver.errorLog
            return call.wantsPlainText ? .plainText(log.extendedLogText) : .json(log)
        },
        APIOperation("GET", "/v1/sessions/{session}/frame.png") { call throws(CastError) in
            let picture = try await call.api.capture()
            return HTTPResponse(
                status: 200, headers: ["Content-Type": "image/png", "Cache-Control": "no-store"], body: .data(picture))
        },
    ]
}

extension SessionGrant {
    fileprivate func sent(at instant: HostTime) -> SessionGrant {
        var copy = self
        copy.state = state.sent(at: instant)
        return copy
    }
}
