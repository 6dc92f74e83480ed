import Casting
import Foundation
import HTTP
import Receiver
import TestSupport
import Testing

@testable import ReceiverAPI

@Suite(.timeLimit(.minutes(2))) struct EventStreamTests {
    @Test("a stream begins with the complete state, goes on in order and ends after routeLost")
    func wholeStream() async throws {
        let stage = try APIStage()
        let session = try await stage.playing()
        var events = session.events().makeAsyncIterator()
        guard let first = try await events.nextEvent(), case .state(let state) = first.event else {
            Issue.record("no state first")
            return
        }
        #expect(state.item?.title == "Film")
        #expect(state.timeline.sentAt != nil)
        _ = try await session.call("POST", "seek", #"{"position":50}"#)
        _ = try await session.call("POST", "pause")
        _ = try await stage.open("Bert", .always)
        var names: [String] = []
        var ids = [first.id]
        var last: Event?
        while let (id, event) = try await events.nextEvent() {
            names.append(event.name)
            ids.append(id)
            last = event
        }
        #expect(names == ["timeJumped", "state", "state", "routeLost"])
        let numbers = ids.compactMap { $0.flatMap { Int($0) } }
        #expect(numbers.count == ids.count)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
        guard case .routeLost(let loss) = last else { return }
        #expect(loss.reason == .takenOver)
        #expect(loss.by == "Bert")
        #expect(loss.item?.url == "http://host/film.mp4")
    }

    @Test("a stream that broke goes on where it was")
    func resume() async throws {
        let stage = try APIStage()
        let session = try await stage.playing()
        var place: String?
        do {
            var events = session.events().makeAsyncIterator()
            place = try await events.nextEvent()?.id
        }
        stage.player.tell(.stalled(itemID: "a"))
        stage.player.tell(.failed(itemID: "a", error: CastError(.timedOut, "Slow.")))
        stage.player.tell(.ended(itemID: "b"))
        var events = session.events("", after: place).makeAsyncIterator()
        #expect(try await events.nextEvent()?.event == .stalled(itemID: "a"))
        #expect(try await events.nextEvent()?.event.name == "failed")
        #expect(try await events.nextEvent()?.event == .ended(itemID: "b"))
        for nonsense in ["x", "-5", "99999999999999999999", "4 4"] {
            var events = session.events("", after: nonsense).makeAsyncIterator()
            #expect(try await events.nextEvent()?.event.name == "state")
        }
        // The session ends while nobody listens.
        _ = try await stage.open("Bert", .always)
        var late = session.events("", after: place).makeAsyncIterator()
        #expect(try await late.nextEvent()?.event.name == "routeLost")
        #expect(try await late.nextEvent() == nil)
        #expect(try await session.call("GET", "events").status == 410)
    }

    @Test("progress comes as asked for, with the instant it was sent at")
    func progress() async throws {
        let stage = try APIStage()
        let session = try await stage.playing()
        var events = session.events("?progressInterval=0.1").makeAsyncIterator()
        // Progress has no id of its own: a reader's last id stays that of the event before.
        let place = try await events.nextEvent()?.id
        var heard: [Timeline] = []
        while heard.count < 4, let (id, event) = try await events.nextEvent() {
            if case .progress(let timeline) = event {
                #expect(id == place)
                heard.append(timeline)
            }
        }
        #expect(zip(heard, heard.dropFirst()).allSatisfy { $0.position < $1.position })
        #expect(heard.allSatisfy { ($0.sentAt?.seconds(since: $0.hostTime) ?? -1) >= 0 })
        for wrong in ["0", "0.05", "61", "-1", "nan", "inf", "x", ""] {
            let answer = try await session.call("GET", "events?progressInterval=\(wrong)")
            #expect(answer.status == 400, "\(wrong)")
            #expect(answer.field == "progressInterval")
        }
    }

    @Test("a quiet stream carries a comment every two seconds", .timeLimit(.minutes(1)))
    func heartbeat() async throws {
        let stage = try APIStage()
        let session = try await stage.open()
        let (port, path, token) = (stage.server.port, session.path("events"), session.token)
        for (path, token) in [(path, token), ("/v1/events", "")] {
            let text = try await onOwnThread {
                let connection = try RawConnection(port: port, timeout: 50)
                try connection.send(
                    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
                return try connection.receive(until: "\n:")
            }
            #expect(text.contains("\n:"), "\(path)")
        }
    }

    @Test("availability needs no token, and tells nothing but availability")
    func availability() async throws {
        let stage = try APIStage()
        var documents: [AvailabilityDocument] = []
        var elements = stage.client.events(stage.origin + "/v1/events").makeAsyncIterator()
        func next() async throws {
            while let element = try await elements.next() {
                guard case .event(let message) = element, message.comment == nil else { continue }
                #expect(message.event == "availability")
                let data = Data(message.data.utf8)
                APIDescription.shared.hold(event: "availability", data, of: "/v1/events")
                documents.append(try JSONDecoder().decode(AvailabilityDocument.self, from: data))
                return
            }
        }
        try await next()
        let session = try await stage.open()
        try await next()
        _ = try await session.call("PUT", "item", #"{"url":"http://host/a"}"#)
        try await next()
        #expect(documents.map(\.availability) == [.idle, .idle, .busy])
        #expect(documents.map(\.currentSender) == [nil, "Anna", "Anna"])
    }

    @Test("200 streams at once hear everything in the same order")
    func manyStreams() async throws {
        var limits = HTTPServerLimits()
        limits.connectionsPerAddress = 500
        let stage = try APIStage(limits: limits)
        let session = try await stage.playing()
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        let expected = (0..<100).map { Event.stalled(itemID: "\($0)") } + [.ended(itemID: "last")]
        try await withThrowingTaskGroup(of: [Event].self) { group in
            for _ in 0..<200 {
                group.addTask {
                    var events = session.events().makeAsyncIterator()
                    _ = try await events.nextEvent()
                    isReady.yield()
                    var heard: [Event] = []
                    while let (_, event) = try await events.nextEvent() {
                        heard.append(event)
                        if case .ended("last") = event { break }
                    }
                    return heard
                }
            }
            var waiting = ready.makeAsyncIterator()
            for _ in 0..<200 { await waiting.next() }
            for event in expected { stage.player.tell(event) }
            for try await heard in group { #expect(heard == expected) }
        }
        // The server notices at its next heartbeat that nobody listens any more; nothing is left over, and the receiver is as usable as before.
        #expect(await eventually { await stage.receiver.listenerCount == 0 })
        #expect(try await session.call("POST", "pause").status == 200)
    }

    @Test("more streams than the server may have are 503, as a problem")
    func tooManyStreams() async throws {
        var limits = HTTPServerLimits()
        limits.eventStreams = 1
        let stage = try APIStage(limits: limits)
        let session = try await stage.open()
        var events = session.events().makeAsyncIterator()
        _ = try await events.nextEvent()
        let answer = try await session.call("GET", "events")
        #expect(answer.status == 503)
        #expect(answer.error?.code == .receiverOverloaded)
        withExtendedLifetime(events) {}
    }
}
