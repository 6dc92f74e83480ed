import Foundation
import HTTP
import TestSupport
import Testing

@Suite struct RedirectTests {
    private let given: HTTPHeaders = ["Authorization": "Bearer secret", "Cookie": "own=1", "X-Key": "secret"]

    private func read(_ url: String, _ headers: HTTPHeaders = [:]) async throws -> Data {
        let transfer = HTTPTransfer(url: url, headers: headers, offset: 5)
        return try await onOwnThread { try readAll(transfer) }
    }

    @Test func `a redirect is followed and the range goes with it`() async throws {
        let server = try FaultServer(sample)
        let start = server.serve("/start", Data(), .redirect(to: "/media"))
        let transfer = HTTPTransfer(url: start, headers: given, offset: 5)
        let (head, body) = try await onOwnThread { (try transfer.head(), try readAll(transfer)) }
        #expect(body == sample[5...])
        #expect(head.url == server.url)
        #expect(server.requests.map(\.path) == ["/start", "/media"])
        #expect(server.requests[1].headers["authorization"] == "Bearer secret")
        #expect(server.requests[1].headers["range"] == "bytes=5-")
    }

    @Test func `given headers never reach another origin, and come back to their own`() async throws {
        let home = try FaultServer(sample)
        let other = try FaultServer(sample, .redirect(to: home.url))
        let start = home.serve("/start", Data(), .redirect(to: other.url))
        #expect(try await read(start, given) == sample[5...])
        for name in ["authorization", "cookie", "x-key"] {
            #expect(home.requests[0].headers[name] != nil)
            #expect(other.requests[0].headers[name] == nil)
            #expect(home.requests[1].headers[name] != nil)
        }
        #expect(other.requests[0].headers["range"] == "bytes=5-")
    }

    @Test func `cookies set on the way are kept for one transfer`() async throws {
        let server = try FaultServer(sample, .cookieRequired)
        #expect(try await read(server.url) == sample[5...])
        #expect(server.requests.last?.headers["cookie"] == "pass=1")
        let session = HTTPTransferSession()
        for _ in 0..<2 {
            server.setFault(.cookieRequired)
            let transfer = HTTPTransfer(url: server.url, session: session)
            #expect(try await onOwnThread { try readAll(transfer) } == sample)
        }
        #expect(server.requests.map { $0.headers["cookie"] } == [nil, "pass=1", nil, "pass=1", nil, "pass=1"])
    }

    @Test func `eight redirects are followed and nine are not`() async throws {
        let server = try FaultServer(sample)
        for number in 1...9 {
            server.serve("/\(number)", Data(), .redirect(to: number == 1 ? "/media" : "/\(number - 1)"))
        }
        #expect(try await read(server.url("/8")) == sample[5...])
        let error = await #expect(throws: HTTPError.self) { try await read(server.url("/9")) }
        #expect(error?.code == .tooManyRedirects)
        server.setFault(.redirectLoop)
        let loop = await #expect(throws: HTTPError.self) { try await read(server.url) }
        #expect(loop?.code == .tooManyRedirects)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "javascript:0"])
    func `a redirect to another scheme is refused`(target: String) async throws {
        let server = try FaultServer(sample, .redirect(to: target))
        let error = await #expect(throws: HTTPError.self) { try await read(server.url) }
        #expect(error?.code == .unsupportedScheme)
    }

    @Test func `spaces and letters beyond ASCII are escaped once`() async throws {
        let server = try FaultServer()
        server.serve("/a%20b%C3%A9%25.mp4", sample)
        #expect(try await read(server.url("/a bé%25.mp4?q=ü x")) == sample[5...])
        #expect(server.requests[0].path == "/a%20b%C3%A9%25.mp4?q=%C3%BC%20x")
        server.serve("/start", Data(), .redirect(to: "/a b%C3%A9%25.mp4"))
        #expect(try await read(server.url("/start")) == sample[5...])
    }
}
