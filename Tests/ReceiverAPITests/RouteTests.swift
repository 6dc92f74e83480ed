import Casting
import Foundation
import HTTP
import Receiver
import TestSupport
import Testing

@testable import ReceiverAPI

@Suite(.timeLimit(.minutes(2))) struct RouteTests {
    @Test("anybody may ask who the receiver is, and who holds it")
    func receiver() async throws {
        let stage = try APIStage()
        var info: ReceiverInfo = try await stage.call("GET", "/v1/receiver").decode()
        #expect(info.name == "TV")
        #expect(info.availability == .idle)
        #expect(info.currentSender == nil)
        _ = try await stage.playing()
        info = try await stage.call("GET", "/v1/receiver").decode()
        #expect(info.availability == .busy)
        #expect(info.currentSender == "Anna")
    }

    @Test("the description is served")
    func document() async throws {
        let answer = try await APIStage().call("GET", "/v1/openapi.json")
        #expect(answer.status == 200)
        #expect(answer.body == ReceiverAPI.openAPIDocument)
    }

    @Test("opening answers 201 with a token, and 409 with who holds it")
    func open() async throws {
        let stage = try APIStage()
        let answer = try await stage.call("POST", "/v1/sessions", #"{"sender":{"id":"a","name":"Anna"}}"#)
        #expect(answer.status == 201)
        let grant: SessionGrant = try answer.decode()
        #expect(answer.headers["Location"] == "/v1/sessions/\(grant.id)")
        let refused = try await stage.call(
            "POST", "/v1/sessions", #"{"sender":{"id":"b","name":"Bert"},"takeover":"never"}"#)
        #expect(refused.status == 409)
        #expect(refused.error?.code == .receiverBusy)
        #expect(refused.error?.details?["sender"] == "Anna")
        #expect(
            try await stage.call(
                "POST", "/v1/sessions", #"{"sender":{"id":"b","name":"Bert"},"takeover":"ifIdle"}"#
            ).status == 201)
        let gone = try await stage.call("GET", "/v1/sessions/\(grant.id)/playback", token: grant.token)
        #expect(gone.status == 410)
        #expect(gone.error?.details?["by"] == "Bert")
    }

    @Test("a film is loaded, steered and taken away, each answer with the state after it")
    func wholeLife() async throws {
        let stage = try APIStage()
        let session = try await stage.open()
        var state: PlaybackState = try await session.call(
            "PUT", "item",
            #"{"url":"http://host/film.mp4","title":"Film","startPosition":20,"paused":true,"headers":{"Cookie":"a"}}"#
        ).decode()
        #expect(state.item?.status == .readyToPlay)
        #expect(state.item?.title == "Film")
        #expect(state.timeControlStatus == .paused)
        #expect(state.timeline.position == 20)
        let sent = try #require(state.timeline.sentAt)
        #expect(sent.seconds(since: state.timeline.hostTime) >= 0)
        state = try await session.call("POST", "play").decode()
        #expect(state.timeControlStatus == .playing)
        state = try await session.call("POST", "pause").decode()
        #expect(state.timeControlStatus == .paused)
        var outcome: SeekOutcome = try await session.call("POST", "seek", #"{"position":50}"#).decode()
        #expect(outcome == SeekOutcome(finished: true, position: 50))
        outcome = try await session.call("POST", "skip", #"{"seconds":-10}"#).decode()
        #expect(outcome == SeekOutcome(finished: true, position: 40))
        outcome = try await session.call("POST", "step", #"{"pictures":-25}"#).decode()
        #expect(outcome == SeekOutcome(finished: true, position: 39))
        outcome = try await session.call("POST", "seek", #"{"position":40,"scrubs":true}"#).decode()
        #expect(outcome == SeekOutcome(finished: true, position: 40))
        let beyond = try await session.call("POST", "seek", #"{"position":500}"#)
        #expect(beyond.status == 200)
        outcome = try beyond.decode()
        #expect(outcome.reason == .outOfRange)
        #expect(outcome.seekableTimeRanges == [TimeRange(start: 0, end: 100)])
        state = try await session.call("POST", "rate", #"{"rate":1.5,"defaultRate":1.25}"#).decode()
        #expect(state.rate == 1.5)
        #expect(state.defaultRate == 1.25)
        state = try await session.call("POST", "volume", #"{"volume":0.5,"muted":true}"#).decode()
        #expect(state.volume == 0.5)
        #expect(state.muted)
        state = try await session.call("POST", "volume", #"{"adjustment":0.75}"#).decode()
        #expect(state.volume == 1)
        state = try await session.call("GET", "playback").decode()
        #expect(state.rate == 1.5)
        let picture = try await session.call("GET", "frame.png")
        #expect(picture.body == APIStage.picture)
        #expect(picture.headers["Content-Type"] == "image/png")
        state = try await session.call("POST", "stop").decode()
        #expect(state.item == nil)
        let end: SessionEnd = try await session.call("DELETE", "").decode()
        #expect(end == SessionEnd(wasPlaying: false))
        #expect(try await session.call("DELETE", "").status == 410)
    }

    @Test("the queue is filled, looked at, walked through and emptied")
    func queue() async throws {
        let stage = try APIStage()
        let session = try await stage.open()
        _ = try await session.call("PUT", "item", #"{"id":"a","url":"http://host/a","headers":{"Cookie":"secret"}}"#)
        var state: PlaybackState = try await session.call(
            "POST", "queue", #"{"items":[{"id":"b","url":"http://host/b"},{"id":"c","url":"http://host/c"}]}"#
        ).decode()
        #expect(state.queue == ["a", "b", "c"])
        state = try await session.call("POST", "queue", #"{"items":[{"id":"d","url":"http://host/d"}],"before":"b"}"#)
            .decode()
        #expect(state.queue == ["a", "d", "b", "c"])
        #expect(
            try await session.call("POST", "queue", #"{"items":[{"url":"http://host/e"}],"before":"z"}"#).status == 404)
        let answer = try await session.call("GET", "queue")
        let queue: QueueDocument = try answer.decode()
        #expect(queue.current == "a")
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("secret"))
        state = try await session.call("POST", "next").decode()
        #expect(state.item?.id == "d")
        state = try await session.call("POST", "previous").decode()
        #expect(state.item?.id == "a")
        state = try await session.call("DELETE", "queue/b").decode()
        #expect(state.queue == ["a", "d", "c"])
        #expect(try await session.call("DELETE", "queue/b").status == 404)
        state = try await session.call("DELETE", "queue").decode()
        #expect(state.item?.id == "a")
        let many = (0..<1001).map { #"{"url":"http://h/\#($0)"}"# }.joined(separator: ",")
        #expect(try await session.call("POST", "queue", "{\"items\":[\(many)]}").field == "items")
    }

    @Test("a fresh URL takes the place of the item's, and the logs are to be had in two forms")
    func networkOfAnItem() async throws {
        let stage = try APIStage()
        let session = try await stage.open()
        var log: AccessLogDocument = try await session.call("GET", "accessLog").decode()
        #expect(log.events.isEmpty)
        _ = try await session.call("PUT", "item", #"{"id":"a","url":"http://host/a?t=1"}"#)
        #expect(try await session.call("PUT", "item/source", #"{"url":"http://host/a?t=2"}"#).status == 200)
        #expect(stage.player.commands.last == .renewSource(SourceRenewal(url: "http://host/a?t=2")))
        let queue: QueueDocument = try await session.call("GET", "queue").decode()
        #expect(queue.items.map(\.url) == ["http://host/a?t=2"])
        #expect(try await session.call("PUT", "item/source", #"{"url":"file:///etc/passwd"}"#).field == "url")
        log = try await session.call("GET", "accessLog").decode()
        #expect(log.events.first?.numberOfBytesTransferred == 1000)
        let path = "/v1/sessions/\(session.id)/"
        for name in ["accessLog", "errorLog"] {
            let text = try await stage.call("GET", path + name, token: session.token, headers: ["Accept": "text/plain"])
            #expect(text.headers["Content-Type"]?.hasPrefix("text/plain") == true)
            #expect(String(decoding: text.body, as: UTF8.self).hasPrefix("#Version: 1.0\n#Fields: date uri "))
        }
    }

    @Test("an item that cannot be played is 422 with the item's own error, and the session goes on")
    func failure() async throws {
        let stage = try APIStage()
        let session = try await stage.open()
        let answer = try await session.call("PUT", "item", #"{"url":"http://host/broken"}"#)
        #expect(answer.status == 422)
        #expect(
            answer.error
                == CastError(.contentIsUnavailable, "The server has no such thing.", hint: "Check the address."))
        #expect(answer.headers["Content-Type"] == "application/problem+json")
        #expect(try await session.call("PUT", "item", #"{"url":"http://host/good"}"#).status == 200)
        let nothing = try await APIStage().open().call("POST", "play")
        #expect(nothing.status == 409)
        #expect(nothing.error?.code == .noCurrentItem)
    }

    @Test("calls on a session need its own token")
    func tokens() async throws {
        let stage = try APIStage()
        let session = try await stage.playing()
        let path = session.path("playback")
        for header in [
            "", "Bearer", "Bearer ", "Bearer x", "Basic \(session.token)", session.token, "Bearer \(session.token)x",
        ] {
            let answer = try await stage.call("GET", path, headers: ["Authorization": header])
            #expect(answer.status == 401, "\(header)")
            #expect(answer.headers["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
        }
        #expect(try await stage.call("GET", path, headers: ["Authorization": "bearer  \(session.token)"]).status == 200)
        #expect(try await stage.call("GET", "/v1/sessions/x/playback", token: session.token).status == 404)
        // No token may be tried out on a method or path that does not exist.
        #expect(try await stage.call("POST", session.path("dance"), token: session.token).status == 404)
    }

    struct BadBody: Sendable, CustomTestStringConvertible {
        var path: String
        var body: String
        var field: String?
        var testDescription: String { "\(path) \(body.prefix(80))" }
    }

    @Test(
        "a body that makes no sense is 400 and names the field",
        arguments: [
            BadBody(path: "PUT item", body: ""), BadBody(path: "PUT item", body: "{"),
            BadBody(path: "PUT item", body: "\u{0}"),
            BadBody(path: "PUT item", body: "[]"), BadBody(path: "PUT item", body: "null"),
            BadBody(path: "PUT item", body: "7"),
            BadBody(path: "PUT item", body: String(repeating: "[", count: 100_000)),
            BadBody(path: "PUT item", body: #"{"url":"# + String(repeating: #"{"a":"#, count: 10_000)),
            BadBody(path: "PUT item", body: "{}", field: "url"),
            BadBody(path: "PUT item", body: #"{"url":7}"#, field: "url"),
            BadBody(path: "PUT item", body: #"{"url":null}"#, field: "url"),
            BadBody(path: "PUT item", body: #"{"url":"file:///etc/passwd"}"#, field: "url"),
            BadBody(path: "PUT item", body: #"{"url":"http://h/a","startPositon":3}"#, field: "startPositon"),
            BadBody(path: "PUT item", body: #"{"url":"http://h/a","startPosition":"3"}"#, field: "startPosition"),
            BadBody(path: "PUT item", body: #"{"url":"http://h/a","startPosition":-3}"#, field: "startPosition"),
            BadBody(path: "PUT item", body: #"{"url":"http://h/a","startPosition":1e400}"#),
            BadBody(path: "PUT item", body: #"{"url":"http://h/a","paused":1}"#, field: "paused"),
            BadBody(path: "PUT item", body: #"{"url":"http://h/a","headers":{"A":1}}"#, field: "headers.A"),
            BadBody(path: "PUT item", body: #"{"url":"http://h/a","headers":{"A":"b\r\nC: d"}}"#, field: "headers.A"),
            BadBody(
                path: "PUT item", body: #"{"url":"http://h/a","subtitles":[{"url":"http://h/b"},{"lang":"de"}]}"#,
                field: "subtitles[1].url"),
            BadBody(
                path: "PUT item", body: #"{"url":"http://h/a","subtitles":[{"url":"http://h/b","lang":"de"}]}"#,
                field: "subtitles[0].lang"),
            BadBody(path: "PUT item", body: #"{"url":"http://h/a","subtitles":{}}"#, field: "subtitles"),
            BadBody(path: "POST seek", body: "{}", field: "position"),
            BadBody(path: "POST seek", body: #"{"position":"live"}"#, field: "position"),
            BadBody(path: "POST seek", body: #"{"position":1,"toleranceAfter":-1}"#, field: "toleranceAfter"),
            BadBody(path: "POST skip", body: #"{"seconds":true}"#, field: "seconds"),
            BadBody(path: "POST step", body: #"{"pictures":0}"#, field: "pictures"),
            BadBody(path: "POST step", body: #"{"pictures":"one"}"#, field: "pictures"),
            BadBody(path: "POST seek", body: #"{"position":1,"scrubs":"yes"}"#, field: "scrubs"),
            BadBody(path: "POST rate", body: "{}", field: "rate"),
            BadBody(path: "POST rate", body: #"{"rate":3}"#, field: "rate"),
            BadBody(path: "POST rate", body: #"{"rate":1,"defaultRate":0}"#, field: "defaultRate"),
            BadBody(path: "POST volume", body: "{}", field: "volume"),
            BadBody(path: "POST volume", body: #"{"volume":2}"#, field: "volume"),
            BadBody(path: "POST volume", body: #"{"volume":1,"adjustment":1}"#, field: "adjustment"),
            BadBody(path: "POST queue", body: #"{"items":[]}"#, field: "items"),
            BadBody(path: "POST queue", body: #"{"items":[{"url":"http://h/a"},{"url":"x"}]}"#, field: "items[1].url"),
        ])
    func badBodies(_ row: BadBody) async throws {
        let stage = try APIStage()
        let session = try await stage.playing()
        let before = stage.player.commands.count
        let parts = row.path.split(separator: " ").map(String.init)
        let answer = try await session.call(parts[0], parts[1], row.body)
        #expect(answer.status == 400)
        #expect(answer.field == row.field)
        #expect(stage.player.commands.count == before)
        #expect(stage.player.state.item?.status == .readyToPlay)
    }

    @Test(
        "a request for a session that makes no sense is 400 and names the field",
        arguments: [
            (#"{}"#, "sender"), (#"{"sender":{"id":"a"}}"#, "sender.name"),
            (#"{"sender":{"id":"","name":"a"}}"#, "sender.id"),
            (#"{"sender":{"id":"a","name":"A\nB"}}"#, "sender.name"), (#"{"sender":"a"}"#, "sender"),
            (#"{"sender":{"id":"a","name":"A"},"takeover":"maybe"}"#, "takeover"),
            (#"{"sender":{"id":"a","name":"A"},"takeOver":"never"}"#, "takeOver"),
        ])
    func badSessions(_ body: String, _ field: String) async throws {
        let answer = try await APIStage().call("POST", "/v1/sessions", body)
        #expect(answer.status == 400)
        #expect(answer.field == field)
    }

    @Test("a body that is not said to be JSON is 415: no web page of elsewhere can send one")
    func mediaType() async throws {
        let stage = try APIStage()
        for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx", ""]
        {
            let answer = try await stage.call(
                "POST", "/v1/sessions", #"{"sender":{"id":"a","name":"A"}}"#, headers: ["Content-Type": type])
            #expect(answer.status == 415, "\(type)")
        }
        #expect(
            try await stage.call(
                "POST", "/v1/sessions", #"{"sender":{"id":"a","name":"A"}}"#,
                headers: ["Content-Type": "Application/JSON; charset=utf-8"]
            ).status == 201)
    }

    @Test("a wrong method is 405 with those there are; OPTIONS and HEAD are answered; nothing speaks of CORS")
    func methods() async throws {
        let stage = try APIStage()
        let session = try await stage.open()
        let wrong = try await stage.call("DELETE", "/v1/receiver")
        #expect(wrong.status == 405)
        #expect(wrong.headers["Allow"] == "GET, HEAD, OPTIONS")
        #expect(try await session.call("GET", "play").headers["Allow"] == "OPTIONS, POST")
        let options = try await stage.call("OPTIONS", session.path("queue"), headers: ["Origin": "http://evil.example"])
        #expect(options.status == 204)
        #expect(options.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS, POST")
        #expect(!options.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
        for path in ["/v1/receiver", "/v1/openapi.json", "/v1/events"] {
            let head = try await stage.call("HEAD", path)
            #expect(head.status == 200, "\(path)")
            #expect(head.body.isEmpty)
        }
        #expect(try await session.call("HEAD", "events").headers["Content-Type"] == "text/event-stream")
        for path in [
            "/", "/v1", "/v2/receiver", "/v1/receiver/x", "/V1/receiver", "/v1/%2e%2e/x", "/v1/sessions/a/item/b/c",
        ] {
            #expect(try await stage.call("GET", path).status == 404, "\(path)")
        }
    }

    @Test(
        "a Host header of elsewhere is 421, before anything else",
        arguments: ["evil.example", "tv.evil.example", "evil.example:80"])
    func host(_ name: String) async throws {
        let stage = try APIStage()
        #expect(try await stage.call("GET", "/v1/receiver", headers: ["Host": name]).status == 421)
        #expect(try await stage.call("GET", "/v1/receiver", headers: ["Host": "tv.local:7766"]).status == 200)
        let direct = await stage.api.handler(HTTPRequest(method: "GET", target: "/v1/receiver"))
        #expect(direct.status == 421)
    }

    @Test(
        "every status the server gives by itself is a problem of that status",
        arguments: [400, 404, 405, 408, 411, 413, 414, 415, 417, 421, 429, 431, 500, 501, 503])
    func serverErrors(_ status: Int) throws {
        let response = ReceiverAPI.errorResponse(status: status)
        #expect(response.status == status)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        guard case .data(let data) = response.body else {
            Issue.record("no body")
            return
        }
        let problem = try JSONDecoder().decode(ProblemDetails.self, from: data)
        #expect(problem.status == status)
        #expect(!problem.title.isEmpty)
    }

    @Test("more than the receiver takes is answered with a problem, on the socket")
    func limits() async throws {
        var limits = HTTPServerLimits()
        limits.requestTime = 0.3
        let stage = try APIStage(limits: limits)
        let session = try await stage.open()
        let large = #"{"url":"http://h/\#(String(repeating: "x", count: 1 << 20))"}"#
        #expect(try await session.call("PUT", "item", large).status == 413)
        let long = try await stage.call(
            "GET", "/v1/receiver", headers: ["X-Long": String(repeating: "x", count: 20_000)])
        #expect(long.status == 431)
        #expect(long.error?.code == .headerTooLarge)
        let port = stage.server.port
        let slow = try await onOwnThread {
            let connection = try RawConnection(port: port)
            try connection.send("GET /v1/receiver HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            return String(decoding: try connection.receiveToEnd(), as: UTF8.self)
        }
        #expect(slow.isEmpty || slow.contains("requestTimedOut"))
    }

    @Test("how the session plays is changed field by field, and is as it was for the next session")
    func options() async throws {
        let stage = try APIStage()
        let session = try await stage.playing()
        var state: PlaybackState = try await session.call(
            "POST", "options", #"{"loop":"all","automaticallyWaitsToMinimizeStalling":false}"#
        ).decode()
        #expect(
            state.options
                == PlaybackOptions(
                    actionAtItemEnd: .advance, loop: .all, automaticallyWaitsToMinimizeStalling: false,
                    preferredForwardBufferDuration: 0, videoGravity: .resizeAspect))
        state = try await session.call("POST", "options", #"{"actionAtItemEnd":"pause"}"#).decode()
        #expect(state.options?.actionAtItemEnd == .pause)
        #expect(state.options?.loop == .all)
        for body in [
            "{}", #"{"loop":"two"}"#, #"{"loops":"all"}"#, #"{"preferredForwardBufferDuration":-1}"#,
            #"{"automaticallyWaitsToMinimizeStalling":1}"#,
        ] {
            #expect(try await session.call("POST", "options", body).status == 400, "\(body)")
        }
        _ = try await stage.open("Bert", .always)
        #expect(await eventually { stage.player.state.options == .standard })
    }

    @Test("play takes a rate, and may be told not to wait")
    func play() async throws {
        let stage = try APIStage()
        let session = try await stage.playing()
        for (body, command) in [
            (nil, Command.play), ("{}", .play), (#"{"rate":1.5}"#, .setRate(1.5)),
            (#"{"immediately":true}"#, .playImmediately(rate: nil)),
            (#"{"immediately":true,"rate":2}"#, .playImmediately(rate: 2)),
        ] {
            #expect(try await session.call("POST", "play", body).status == 200)
            #expect(stage.player.commands.last == command)
        }
        #expect(try await session.call("POST", "play", #"{"immediately":true,"rate":9}"#).status == 400)
    }

    @Test("a failed item's error answers what is to steer it, as a conflict")
    func failedItem() async throws {
        let stage = try APIStage()
        let session = try await stage.playing()
        let load = try await session.call("PUT", "item", #"{"url":"http://host/broken"}"#)
        #expect(load.status == 422)
        let error = try #require(stage.player.state.item?.error)
        for (path, body) in [("play", nil), ("pause", nil), ("seek", #"{"position":1}"#), ("skip", #"{"seconds":1}"#)] {
            stage.player.failNext(with: error)
            let answer = try await session.call("POST", path, body)
            #expect(answer.status == 409, "\(path)")
            let problem: ProblemDetails = try answer.decode()
            #expect(problem.error.code == error.code)
        }
    }
}
