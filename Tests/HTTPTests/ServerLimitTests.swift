import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@Suite struct ServerLimitTests {
    private func server(_ change: (inout HTTPServerLimits) -> Void = { _ in }) throws -> RunningServer {
        var limits = HTTPServerLimits()
        change(&limits)
        return try RunningServer(limits: limits) { .text("took \($0.body.count)") }
    }

    @Test func `a body of just the limit is taken`() async throws {
        let answer = try await server().ask("POST", "/", body: String(repeating: "a", count: 1 << 20))
        #expect(body(answer) == "took 1048576")
    }

    @Test func `a body announced too large is refused before it is sent`() async throws {
        let answer = try await server().exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n")
        #expect(status(answer) == 413)
        #expect(body(answer) == "refused 413")
        let absurd = try await server().exchange(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n")
        #expect([400, 413].contains(status(absurd)))
    }

    @Test func `a body that grows too large in chunks is refused`() async throws {
        let chunk = "10000\r\n" + String(repeating: "a", count: 65536) + "\r\n"
        let answer = try await server().exchange(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + String(repeating: chunk, count: 17) + "0\r\n\r\n")
        #expect(status(answer) == 413)
    }

    @Test(arguments: [(15, 200), (17, 431), (40, 431), (1000, 431)])
    func `headers beyond the limit are refused`(kibibytes: Int, expected: Int) async throws {
        let answer = try await server().ask("GET", "/", ["X-Long: " + String(repeating: "a", count: kibibytes << 10)])
        #expect(status(answer) == expected)
    }

    @Test func `many short headers beyond the limit are refused`() async throws {
        let answer = try await server().ask("GET", "/", (0..<3000).map { "X\($0): y" })
        #expect(status(answer) == 431)
    }

    @Test(arguments: [true, false])
    func `a request that dribbles in is ended with 408 in time`(sendsHeaders: Bool) async throws {
        let server = try server { $0.requestTime = 0.5 }
        let port = server.port
        let begin = ContinuousClock.now
        let answer = try await onOwnThread {
            let connection = try RawConnection(port: port)
            if sendsHeaders { try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n") }
            // A byte now and then keeps libmicrohttpd itself from ending it.
            let dribble = Thread {
                for _ in 0..<1000 where (try? connection.send("a")) != nil { usleep(50_000) }
            }
            dribble.start()
            return String(decoding: try connection.receiveToEnd(), as: UTF8.self)
        }
        #expect(status(answer) == 408)
        #expect(ContinuousClock.now - begin > .milliseconds(450))
    }

    @Test func `an idle connection is closed without a word, also after a request`() async throws {
        let server = try server { $0.requestTime = 0.5 }
        let port = server.port
        let rest = try await onOwnThread {
            let connection = try RawConnection(port: port)
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try connection.receive(until: "took 0")
            return try connection.receiveToEnd()
        }
        #expect(rest.isEmpty)
    }

    @Test(arguments: [
        "Host: a\r\nHost: b", "Host: a\r\nContent-Length: 1\r\nContent-Length: 2",
        "Host: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", "Host: a\r\nTransfer-Encoding: gzip",
        "Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    ])
    func `headers that could be taken in two ways are refused`(headers: String) async throws {
        let answer = try await server().exchange("POST / HTTP/1.1\r\n\(headers)\r\n\r\n1\r\na\r\n0\r\n\r\n")
        #expect(status(answer) == 400)
    }

    @Test func `a handler may take longer than a request`() async throws {
        var limits = HTTPServerLimits()
        limits.requestTime = 0.2
        let server = try RunningServer(limits: limits) { _ in
            try? await Task.sleep(for: .milliseconds(600))
            return .text("late")
        }
        #expect(body(try await server.ask("GET", "/")) == "late")
    }

    @Test func `connections of one address are limited, and others still come`() async throws {
        let server = try server { $0.connectionsPerAddress = 8 }
        let port = server.port
        try await onOwnThread {
            var open: [RawConnection] = []
            for _ in 0..<8 {
                let connection = try RawConnection(port: port)
                try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(status(try connection.receive(until: "took 0")) == 200)
                open.append(connection)
            }
            let refused = try RawConnection(port: port)
            try? refused.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(status(String(decoding: try refused.receiveToEnd(), as: UTF8.self)) == 429)
            let other = try RawConnection(port: port, from: "127.0.0.2")
            try other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(status(try other.receive(until: "took 0")) == 200)
            open.removeAll()
        }
        #expect(await eventually { (try? await server.ask("GET", "/")).map(status) == 200 })
    }
}
