import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

/// The continuations of a server's event streams, by path.
private final class Channels: Sendable {
    private let open = Mutex<[String: AsyncStream<ServerSentEvent>.Continuation]>([:])
    private let closed = Mutex<Set<String>>([])

    func response(_ request: HTTPRequest) -> HTTPResponse {
        let path = request.path
        let (stream, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
        continuation.onTermination = { _ in self.closed.withLock { _ = $0.insert(path) } }
        open.withLock { $0[path] = continuation }
        continuation.yield(ServerSentEvent(event: "hello", data: path))
        return .events(stream)
    }

    func send(_ event: ServerSentEvent) {
        for continuation in open.withLock({ Array($0.values) }) { continuation.yield(event) }
    }

    func finish(_ path: String) { open.withLock { $0[path] }?.finish() }
    func isClosed(_ path: String) -> Bool { closed.withLock { $0.contains(path) } }
    var closedCount: Int { closed.withLock(\.count) }
}

@Suite struct ServerEventTests {
    private let channels = Channels()

    private func server(_ change: (inout HTTPServerLimits) -> Void = { _ in }) throws -> RunningServer {
        var limits = HTTPServerLimits()
        limits.connectionsPerAddress = 2000
        change(&limits)
        return try RunningServer(limits: limits) { [channels] in channels.response($0) }
    }

    private func open(_ port: Int, _ path: String) throws -> RawConnection {
        let connection = try RawConnection(port: port)
        try connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        return connection
    }

    @Test func `events come one by one until the stream ends`() async throws {
        let server = try server()
        let port = server.port
        let channels = channels
        let answer = try await onOwnThread { [self] in
            let connection = try open(port, "/a")
            var answer = try connection.receive(until: "data: /a\n\n")
            channels.send(ServerSentEvent(id: "7", data: "one\ntwo"))
            answer += try connection.receive(until: "data: two\n\n")
            channels.finish("/a")
            return answer + (try connection.receive(until: "0\r\n\r\n"))
        }
        #expect(answer.contains("Content-Type: text/event-stream\r\n"))
        #expect(answer.contains("event: hello\ndata: /a\n\n"))
        #expect(answer.contains("id: 7\ndata: one\ndata: two\n\n"))
        #expect(answer.hasSuffix("0\r\n\r\n"))
    }

    @Test func `two hundred clients each get every event`() async throws {
        let server = try server()
        let port = server.port
        let channels = channels
        try await onOwnThread { [self] in
            let connections = try (0..<200).map { try open(port, "/\($0)") }
            for connection in connections { _ = try connection.receive(until: "\n\n\r\n") }
            for number in 0..<20 { channels.send(ServerSentEvent(id: "\(number)", data: "tick")) }
            for connection in connections {
                let text = try connection.receive(until: "id: 19\ndata: tick\n\n")
                for number in 0..<20 { #expect(text.contains("id: \(number)\n")) }
            }
        }
    }

    @Test func `a quiet stream carries comments`() async throws {
        let server = try server { $0.heartbeatInterval = 0.1 }
        let port = server.port
        let text = try await onOwnThread { [self] in
            let connection = try open(port, "/a")
            return try connection.receive(until: "data: /a\n\n") + connection.receive(until: ":\n\n")
                + connection.receive(until: ":\n\n")
        }
        #expect(text.contains(":\n\n"))
    }

    @Test func `a client that left is noticed at the next write`() async throws {
        let server = try server()
        let port = server.port
        try await onOwnThread { [self] in
            let connection = try open(port, "/a")
            _ = try connection.receive(until: "data: /a\n\n")
        }
        channels.send(.heartbeat)
        #expect(await eventually { channels.isClosed("/a") })
    }

    @Test func `a client that does not read is dropped`() async throws {
        let server = try server { $0.unsentEvents = 100_000 }
        let port = server.port
        let connection = try await onOwnThread { [self] in
            let connection = try open(port, "/a")
            _ = try connection.receive(until: "data: /a\n\n")
            return connection
        }
        let large = ServerSentEvent(data: String(repeating: "x", count: 10_000))
        #expect(
            await eventually {
                for _ in 0..<10 { channels.send(large) }
                return channels.isClosed("/a")
            })
        withExtendedLifetime(connection) {}
    }

    @Test func `streams beyond the limit are refused and their continuation is told`() async throws {
        let server = try server { $0.eventStreams = 3 }
        let port = server.port
        let channels = channels
        try await onOwnThread { [self] in
            let connections = try (0..<3).map { try open(port, "/\($0)") }
            for connection in connections { #expect(status(try connection.receive(until: "\n\n\r\n")) == 200) }
            #expect(status(try open(port, "/3").receive(until: "refused")) == 503)
        }
        #expect(await eventually { channels.isClosed("/3") })
        // Those three have left by now.
        #expect(
            await eventually {
                channels.send(.heartbeat)
                return channels.closedCount == 4
            })
        let again = try await onOwnThread { [self] in try open(port, "/4").receive(until: "data: /4") }
        #expect(status(again) == 200)
    }

    @Test func `HEAD of a stream ends at once`() async throws {
        let server = try server()
        #expect(status(try await server.ask("HEAD", "/a")) == 200)
        #expect(await eventually { channels.isClosed("/a") })
    }

    @Test func `stop ends open streams within half a second and sends what is left`() async throws {
        let server = try server()
        let port = server.port
        let connections = try await onOwnThread { [self] in
            let connections = try (0..<50).map { try open(port, "/\($0)") }
            for connection in connections { _ = try connection.receive(until: "\n\n\r\n") }
            return connections
        }
        let begin = ContinuousClock.now
        channels.send(ServerSentEvent(data: "goodbye"))
        server.server.stop()
        #expect(ContinuousClock.now - begin < .milliseconds(500))
        #expect(await eventually { channels.closedCount == 50 })
        try await onOwnThread {
            for connection in connections { _ = try connection.receiveToEnd() }
        }
    }
}
