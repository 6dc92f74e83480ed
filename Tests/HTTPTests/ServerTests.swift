import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@Suite struct ServerTests {
    private func echo() throws -> RunningServer {
        try RunningServer { request in
            let lines =
                [request.method, request.path, request.pathComponents.joined(separator: "|"), request.peer]
                + request.query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                + request.headers.values(of: "X-Test") + [String(decoding: request.body, as: UTF8.self)]
            return .text(lines.joined(separator: "\n"))
        }
    }

    @Test func `a request reaches the handler with all its parts`() async throws {
        let answer = try await echo().ask(
            "PUT", "/v1/a%20b/c%2Fd?x=1+2&y=%C3%A9&x=3", ["X-Test: one", "x-test: two"], body: "hello")
        #expect(status(answer) == 200)
        let expected = ["PUT", "/v1/a%20b/c%2Fd", "v1|a b|c/d", "127.0.0.1", "x=1 2", "y=é", "one", "two", "hello"]
        #expect(body(answer) == expected.joined(separator: "\n"))
    }

    @Test func `a method nobody knows reaches the handler`() async throws {
        #expect(body(try await echo().ask("BREW", "/pot")).hasPrefix("BREW\n/pot"))
    }

    @Test func `HEAD gives the length and no body`() async throws {
        let answer = try await echo().ask("HEAD", "/a")
        #expect(status(answer) == 200)
        #expect(answer.contains("Content-Length: "))
        #expect(!answer.contains("Content-Length: 0"))
        #expect(body(answer).isEmpty)
    }

    @Test(arguments: ["/a%00b", "/a%zz", "/a%f", "/%ff", "/?a=%00", "a"])
    func `a target that cannot be decoded is refused`(target: String) async throws {
        #expect(status(try await echo().ask("GET", target)) == 400)
    }

    @Test(arguments: ["/a/../../b", "/a/%2e%2e/%2E%2e/b", "/./b//", "http://elsewhere/b"])
    func `dots never lead above the root`(target: String) async throws {
        #expect(body(try await echo().ask("GET", target)).split(separator: "\n")[2] == "b")
    }

    @Test func `a body in chunks arrives whole`() async throws {
        let answer = try await echo().exchange(
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n")
        #expect(body(answer).hasSuffix("abcdefg"))
    }

    @Test func `a connection is used for many requests`() async throws {
        let server = try echo()
        let port = server.port
        try await onOwnThread {
            let connection = try RawConnection(port: port)
            for number in 0..<20 {
                try connection.send("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try connection.receive(until: "127.0.0.1").contains("/\(number)"))
            }
        }
    }

    @Test func `the answer's headers arrive, and none that would break the message`() async throws {
        let server = try RunningServer { _ in
            HTTPResponse(
                status: 201, headers: ["X-Good": "yes", "X-Bad": "a\r\nX-Evil: b", "Bad Name": "c"],
                body: .data(Data("x".utf8)))
        }
        let answer = try await server.ask("GET", "/")
        #expect(status(answer) == 201)
        #expect(answer.contains("X-Good: yes\r\n"))
        #expect(!answer.contains("X-Evil") && !answer.contains("Bad Name"))
        #expect(answer.contains("Content-Length: 1\r\n"))
    }

    @Test func `a status that is none becomes 500`() async throws {
        let server = try RunningServer { _ in HTTPResponse(status: 7) }
        #expect(status(try await server.ask("GET", "/")) == 500)
    }

    @Test func `nonsense does no harm`() async throws {
        let server = try echo()
        for nonsense in ["\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n\r\n\r\n"] {
            _ = try await server.exchange(nonsense + "GET /after HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        }
        #expect(status(try await server.ask("GET", "/")) == 200)
    }

    @Test func `a taken port is told from other failures`() async throws {
        let server = try echo()
        let second = HTTPServer { _ in HTTPResponse(status: 200) }
        let error = #expect(throws: HTTPError.self) { try second.start(port: server.port, on: .loopback) }
        #expect(error?.code == .portInUse)
        let everywhere = #expect(throws: HTTPError.self) { try second.start(port: server.port) }
        #expect(everywhere?.code == .portInUse)
        let other = #expect(throws: HTTPError.self) { try second.start(port: 0, on: .address("203.0.113.7")) }
        #expect(other?.code == .cannotListen)
    }

    @Test func `a server restarts at once on its port`() async throws {
        let server = HTTPServer { _ in HTTPResponse.text("here") }
        try server.start(port: 0, on: .loopback)
        let port = server.port
        for _ in 0..<5 {
            let answer = try await onOwnThread {
                let connection = try RawConnection(port: port)
                try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                return try connection.receive(until: "here")
            }
            #expect(status(answer) == 200)
            server.stop()
            #expect(server.port == 0)
            try server.start(port: port, on: .loopback)
        }
        server.stop()
    }

    @Test func `one socket serves IPv6 and IPv4, and IPv4 peers look like it`() async throws {
        let server = try RunningServer(on: .address("::")) { .text($0.peer) }
        #expect(body(try await server.ask("GET", "/")) == "127.0.0.1")
        let answer = try await server.exchange("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", host: "::1")
        #expect(body(answer) == "::1")
    }

    @Test func `stop ends a handler that never answers`() async throws {
        let cancelled = Atomic(false)
        let started = Atomic(false)
        let server = try RunningServer { _ in
            started.store(true, ordering: .relaxed)
            try? await Task.sleep(for: .seconds(60))
            cancelled.store(Task.isCancelled, ordering: .relaxed)
            return HTTPResponse(status: 200)
        }
        async let answer = server.ask("GET", "/")
        #expect(await eventually { started.load(ordering: .relaxed) })
        let begin = ContinuousClock.now
        server.server.stop()
        #expect(ContinuousClock.now - begin < .milliseconds(500))
        #expect(status(try await answer) == 503)
        #expect(await eventually { cancelled.load(ordering: .relaxed) })
    }
}
