import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@Suite struct ClientTests {
    private let client = HTTPClient()

    private func echo(on address: HTTPServerAddress = .loopback) throws -> RunningServer {
        try RunningServer(on: address) { request in
            let headers = request.headers.map { "\($0.name): \($0.value)" }.sorted()
            let text = ([request.method, request.path] + headers).joined(separator: "\n") + "\n\n"
            return .text(text + String(decoding: request.body, as: UTF8.self), status: 201)
        }
    }

    private func fails(_ code: HTTPError.Code, _ body: () async throws -> Void) async {
        let error = await #expect(throws: HTTPError.self) { try await body() }
        #expect(error?.code == code)
    }

    @Test(arguments: ["GET", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"])
    func `a request of any method goes out with its body`(method: String) async throws {
        let server = try echo()
        let url = "http://127.0.0.1:\(server.port)/a b"
        for body in [nil, Data(), Data("hello".utf8), Data(count: 200_000)] {
            let response = try await client.send(
                method, url, headers: ["Content-Type": "application/json", "X-Empty": ""], body: body)
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(response.status == 201 && response.headers["content-type"]?.hasPrefix("text/plain") == true)
            #expect(text.hasPrefix("\(method)\n/a%20b\n"))
            #expect(text.contains("\nContent-Type: application/json\n") && text.contains("\nX-Empty: \n"))
            #expect(text.contains("\nAccept-Encoding: identity\n") && !text.contains("Expect"))
            #expect(response.body.suffix(body?.count ?? 0) == body ?? Data())
        }
    }

    @Test func `HEAD has no body`() async throws {
        let server = try echo()
        let response = try await client.send("HEAD", "http://127.0.0.1:\(server.port)/")
        #expect(response.status == 201 && response.body.isEmpty && response.headers["Content-Length"] != "0")
    }

    @Test(arguments: ["[::1]", "[::1%25lo]", "[::1%lo]", "[0:0:0:0:0:0:0:1]"])
    func `an IPv6 address in a URL is reached, with scope too`(host: String) async throws {
        let server = try echo(on: .address("::1"))
        let response = try await client.send("GET", "http://\(host):\(server.port)/x")
        #expect(response.status == 201)
    }

    @Test func `connections are used again, and many requests go at once`() async throws {
        let server = try FaultServer(sample)
        for _ in 0..<5 { #expect(try await client.send("GET", server.url).body == sample) }
        #expect(server.acceptedConnections == 1)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { [client] in try await client.send("GET", server.url, timeout: 60).body.count }
            }
            for try await count in group { #expect(count == sample.count) }
        }
    }

    @Test func `what goes wrong has its own name`() async throws {
        let server = try FaultServer(sample)
        let gone = try FaultServer().port
        await fails(.cannotConnectToHost) { _ = try await client.send("GET", "http://127.0.0.1:\(gone)/") }
        await fails(.cannotFindHost) { _ = try await client.send("GET", "http://no-such-name.invalid/") }
        await fails(.unsupportedScheme) { _ = try await client.send("GET", "file:///etc/passwd") }
        await fails(.secureConnectionFailed) { _ = try await client.send("GET", "https://127.0.0.1:\(server.port)/") }
        await fails(.badResponse) { _ = try await client.send("GET", server.url, bodyLimit: 1000) }
        server.setFault(.dropAfter(fraction: 0.5, times: 1))
        await fails(.connectionLost) { _ = try await client.send("GET", server.url) }
        server.setFault(.redirectLoop)
        await fails(.tooManyRedirects) { _ = try await client.send("GET", server.url) }
        server.setFault(.redirect(to: "file:///etc/passwd"))
        await fails(.unsupportedScheme) { _ = try await client.send("GET", server.url) }
    }

    @Test func `the time limit is for all of it and is kept`() async throws {
        let server = try FaultServer(sample, .slow(bytesPerSecond: 50_000))
        let begin = ContinuousClock.now
        await fails(.timedOut) { _ = try await client.send("GET", server.url, timeout: 0.3) }
        #expect(ContinuousClock.now - begin < .seconds(15))
    }

    @Test func `a cancelled task ends its request at once`() async throws {
        let server = try FaultServer(sample, .stallAfter(fraction: 0.1, times: 10))
        let task = Task { [client] in try await client.send("GET", server.url, timeout: 60) }
        #expect(await eventually { !server.requests.isEmpty })
        let begin = ContinuousClock.now
        task.cancel()
        await fails(.cancelled) { _ = try await task.value }
        #expect(ContinuousClock.now - begin < .seconds(20))
        let early = Task { [client] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send("GET", server.url, timeout: 60)
        }
        await fails(.cancelled) { _ = try await early.value }
    }

    @Test func `a redirected POST becomes GET and loses its headers at another origin`() async throws {
        let other = try FaultServer(sample)
        let server = try FaultServer(sample, .redirect(to: other.url))
        let response = try await client.send(
            "POST", server.url, headers: ["Authorization": "Bearer secret"], body: Data("x".utf8))
        #expect(response.status == 200 && response.effectiveURL == other.url)
        #expect(other.requests[0].method == "GET" && other.requests[0].headers["authorization"] == nil)
        #expect(other.requests[0].headers["content-length"] == nil)
    }
}

@Suite struct ClientEventTests {
    private let client = HTTPClient()

    @Test func `events come as they are sent, and the end is an end`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
        let server = try RunningServer { request in
            continuation.yield(ServerSentEvent(id: "1", event: "a", data: request.headers["Last-Event-ID"] ?? "none"))
            return .events(stream)
        }
        var elements = client.events("http://127.0.0.1:\(server.port)/", headers: ["Last-Event-ID": "9"])
            .makeAsyncIterator()
        guard case .opened(let head) = try await elements.next() else {
            Issue.record("no head")
            return
        }
        #expect(head.status == 200)
        #expect(try await elements.next() == .event(ServerSentEvent(id: "1", event: "a", data: "9")))
        continuation.yield(ServerSentEvent(comment: "still here"))
        continuation.yield(ServerSentEvent(data: "two\nlines"))
        #expect(try await elements.next() == .event(ServerSentEvent(id: "1", data: "two\nlines")))
        continuation.finish()
        #expect(try await elements.next() == nil)
    }

    @Test func `silence is an error`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
        let server = try RunningServer { _ in .events(stream) }
        let begin = ContinuousClock.now
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in client.events("http://127.0.0.1:\(server.port)/", silence: 0.3) {}
        }
        #expect(error?.code == .timedOut)
        #expect(ContinuousClock.now - begin > .milliseconds(300))
        continuation.finish()
    }

    @Test func `heartbeats are not silence`() async throws {
        let comments = String(repeating: ":\n\n", count: 40)
        let text = Data((comments + "data: late\n\n").utf8)
        // A byte each fiftieth of a second, from a thread of its own: longer than the silence allowed.
        let server = try FaultServer(text, contentType: "text/event-stream", .slow(bytesPerSecond: 50))
        var elements: [HTTPEventStreamElement] = []
        for try await element in client.events(server.url, silence: 1.5) { elements.append(element) }
        #expect(elements.last == .event(ServerSentEvent(data: "late")))
    }

    @Test func `a refusal carries the answer`() async throws {
        let server = try RunningServer { _ in .json(["reason": "no"], status: 401) }
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in client.events("http://127.0.0.1:\(server.port)/") {}
        }
        #expect(error?.code == .badResponse && error?.response?.status == 401)
        #expect(error?.response.map { String(decoding: $0.body, as: UTF8.self) } == #"{"reason":"no"}"#)
    }

    @Test func `a server that dies ends the stream with an error`() async throws {
        let server = try RunningServer { _ in .events(AsyncStream { $0.yield(.heartbeat) }) }
        let url = "http://127.0.0.1:\(server.port)/"
        let fault = try FaultServer(Data(": hello\n\ndata: x\n\n".utf8), contentType: "text/event-stream")
        fault.setFault(.dropAfter(fraction: 0.5, times: 10))
        let error = await #expect(throws: HTTPError.self) { for try await _ in client.events(fault.url) {} }
        #expect(error?.code == .connectionLost)
        server.server.stop()
        let gone = await #expect(throws: HTTPError.self) { for try await _ in client.events(url) {} }
        #expect(gone?.code == .cannotConnectToHost)
    }

    @Test func `a reader that stops ends the request`() async throws {
        let ended = Atomic(false)
        let (stream, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
        continuation.onTermination = { _ in ended.store(true, ordering: .relaxed) }
        let server = try RunningServer { _ in .events(stream) }
        for try await _ in client.events("http://127.0.0.1:\(server.port)/") { break }
        #expect(
            await eventually {
                continuation.yield(.heartbeat)
                return ended.load(ordering: .relaxed)
            })
    }

    @Test func `a hundred streams on one client`() async throws {
        var limits = HTTPServerLimits()
        limits.connectionsPerAddress = 200
        let server = try RunningServer(limits: limits) { request in
            .events(
                AsyncStream { continuation in
                    for number in 0..<50 { continuation.yield(ServerSentEvent(data: "\(request.path) \(number)")) }
                    continuation.finish()
                })
        }
        let url = "http://127.0.0.1:\(server.port)/"
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask { [client] in
                    try await client.events(url + "\(number)").reduce(0) { count, _ in count + 1 }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 51, count: 100))
    }
}
