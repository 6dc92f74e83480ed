import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

/// What becomes of a film on every kind of bad server, over real sockets.
@Suite struct ServerFaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fault: FaultServer.Fault
        /// What comes of it; nil where it plays to its last picture.
        var error: CastError.Code?
        var headers: [String] = []

        init(
            _ description: String, _ fault: FaultServer.Fault, _ error: CastError.Code? = nil, headers: [String] = []
        ) {
            testDescription = description
            self.fault = fault
            self.error = error
            self.headers = headers
        }
    }

    static let cases = [
        Case("well-behaved", .ok),
        Case("no ranges", .noRange),
        Case("406 to ranges", .rejectRange),
        Case("another range than asked for", .wrongRange),
        Case("less at once than asked for", .shortParts(bytes: 20_000)),
        Case("chunked", .chunked),
        Case("no length", .noContentLength),
        Case("gzip", .gzip),
        Case("cookie", .cookieRequired),
        Case("redirect loop", .redirectLoop, .serverIncorrectlyConfigured),
        Case("redirect to a file", .redirect(to: "file:///etc/passwd"), .unsupportedURL),
        Case("busy twice", .status(503, times: 2)),
        Case("busy for long", .status(503, times: 100), .contentIsUnavailable),
        Case("429 for seconds", .busy(429, retryAfter: "1", times: 1)),
        Case("429 for hours", .busy(429, retryAfter: "7200", times: 100), .contentIsUnavailable),
        Case("drops at a third, three times", .dropAfter(fraction: 0.33, times: 3)),
        Case("drops before the first byte", .dropAfter(fraction: 0, times: 1)),
        Case("stalls at a third", .stallAfter(fraction: 0.33, times: 1)),
        Case("one fetch only", .oneShot(thenStatus: 403)),
        Case("huge and double headers", .manyHeaders),
        Case("two lengths", .ok, headers: ["Content-Length: 77"]),
        Case("404", .status(404, times: 100), .contentIsUnavailable),
        Case("401", .status(401, times: 100), .contentIsNotAuthorized),
        Case("403", .status(403, times: 100), .contentIsNotAuthorized),
        Case("410", .status(410, times: 100), .contentIsUnavailable),
        Case("418", .status(418, times: 100), .contentIsUnavailable),
    ]

    @Test("plays to the last picture, or says what is wrong", arguments: cases)
    func outcome(_ given: Case) async throws {
        let server = try FaultServer()
        let content = try Data(contentsOf: URL(fileURLWithPath: streamed.path()))
        let url = server.serve("/media", content, given.fault, headers: given.headers)
        // Not on the threads that all tests have in common: some of these wait for long.
        let result = try await onOwnThread {
            Result { try Decoded(Demuxer(MediaLocation(url: url), cancellation: Cancellation())) }
        }
        switch (result, given.error) {
        case (.success(let decoded), nil): #expect(decoded.numbers == Array(0..<50))
        case (.failure(let error as CastError), let code?): #expect(error.code == code)
        // Nobody can know which of two lengths is right.
        case (.failure(let error as CastError), nil) where !given.headers.isEmpty:
            #expect([.serverIncorrectlyConfigured, .fileFailedToParse].contains(error.code))
        default: Issue.record("\(result)")
        }
        #expect(server.mostConnections == 1)
        if case .oneShot = given.fault { #expect(server.requests.count == 1) }
    }

    @Test("Retry-After may be a date")
    func retryDate() async throws {
        try await onOwnThread {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(identifier: "GMT")
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            let date = formatter.string(from: Date(timeIntervalSinceNow: 2))
            let server = try FaultServer(file: streamed.path(), .busy(503, retryAfter: date, times: 1))
            #expect(try Decoded(demuxer(server.url)).numbers.count == 50)
            let far = formatter.string(from: Date(timeIntervalSinceNow: 4000))
            server.setFault(.busy(503, retryAfter: far, times: 1))
            #expect(throws: CastError.self) { try demuxer(server.url) }
        }
    }

    /// A server that takes two seconds to send a film of eight.
    private func slowServer() throws -> FaultServer {
        var clip = streamed
        clip.duration = 8
        let content = try Data(contentsOf: URL(fileURLWithPath: clip.path()))
        return try FaultServer(content, .slow(bytesPerSecond: content.count / 2))
    }

    @Test("a server that is gone in the middle for seconds is waited for")
    func outage() async throws {
        try await onOwnThread {
            let server = try slowServer()
            let demuxer = try demuxer(server.url)
            server.goAway()
            DispatchQueue.global().asyncAfter(deadline: .now() + 5) { server.comeBack() }
            #expect(try Decoded(demuxer).numbers == Array(0..<200))
            #expect(demuxer.traffic.faults.contains { $0.error.code == .cannotConnectToHost })
        }
    }

    @Test("a server that never comes back is an error", .timeLimit(.minutes(2)))
    func gone() async throws {
        try await onOwnThread {
            let server = try slowServer()
            let demuxer = try demuxer(server.url)
            server.stop()
            let error = #expect(throws: CastError.self) { try Decoded(demuxer) }
            #expect([.cannotConnectToHost, .networkConnectionLost].contains(error?.code))
        }
    }

    @Test("another file at the same address is an error and never a mixture", arguments: ["tag", "date", "size"])
    func changed(_ difference: String) throws {
        var clip = streamed
        clip.duration = 20
        let content = try Data(contentsOf: URL(fileURLWithPath: clip.path()))
        let server = try FaultServer()
        let dates = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT"]
        func serve(_ version: Int) {
            let header =
                switch difference {
                case "tag": ["ETag: \"\(version)\""]
                case "date": ["ETag: \"1\"", "Last-Modified: \(dates[version])"]
                default: [String]()
                }
            let content = difference == "size" && version == 1 ? content.dropLast(10) : content
            server.serve("/media", content, .slow(bytesPerSecond: content.count / 2), headers: header)
        }
        serve(0)
        let demuxer = try demuxer(server.url)
        serve(1)
        let error = #expect(throws: CastError.self) {
            try demuxer.seek(to: 19)
            _ = try Decoded(demuxer)
        }
        #expect(error?.code == .noLongerPlayable)
    }

    @Test(
        "a path may hold spaces, letters of any language, and escaped signs",
        arguments: [
            ("/Der Bär.mp4", "/Der%20B%C3%A4r.mp4"), ("/a%23b%25.mp4", "/a%23b%25.mp4"), ("/100%.mp4", "/100%25.mp4"),
            ("/film#t=3.mp4", "/film"), ("/日本 [1]{2}|.mp4", "/%E6%97%A5%E6%9C%AC%20[1]%7B2%7D%7C.mp4"),
        ])
    func paths(_ given: String, _ sent: String) throws {
        let server = try FaultServer()
        server.serve(sent, try Data(contentsOf: URL(fileURLWithPath: streamed.path())))
        #expect(try Decoded(demuxer(server.url(given))).numbers.count == 50)
        #expect(server.requests.allSatisfy { $0.path == sent })
    }

    @Test("an address of IPv6 works")
    func version6() throws {
        guard let server = try? FaultServer(isIPv6: true) else { return }
        let url = server.serve("/media", try Data(contentsOf: URL(fileURLWithPath: streamed.path())))
        #expect(url.contains("[::1]"))
        let demuxer = try demuxer(url)
        #expect(try Decoded(demuxer).numbers.count == 50)
        #expect(demuxer.traffic.figures.serverAddress == "::1")
    }

    @Test("no secure connection where there is none")
    func tls() throws {
        let server = try FaultServer(file: streamed.path())
        let url = server.url.replacingOccurrences(of: "http:", with: "https:")
        let error = #expect(throws: CastError.self) { try demuxer(url) }
        #expect([.secureConnectionFailed, .networkConnectionLost].contains(error?.code))
    }

    @Test("a certificate that nobody vouches for is refused at once")
    func certificate() async throws {
        let folder = try TemporaryFolder()
        let (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
        try run(
            "openssl",
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate]
                + ["-days", "2", "-subj", "/CN=wrong.example"])
        let server = try Child(
            "openssl", ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"])
        try #require(await eventually { server.output.contains("ACCEPT 127.0.0.1:") })
        let port = try #require(
            server.output.components(separatedBy: "ACCEPT 127.0.0.1:").last?.prefix { $0.isNumber })
        let network = Network(
            MediaSupply(MediaLocation(url: "https://127.0.0.1:\(port)/film.mp4")), cancellation: Cancellation())
        let error = #expect(throws: CastError.self) { try Demuxer(network, timeout: 10) }
        #expect(error?.code == .secureConnectionFailed)
        // It was not tried again.
        #expect(network.traffic.faults.count == 1)
        withExtendedLifetime(server) {}
    }

    @Test("a film that trickles plays, or is given up at the deadline")
    func trickle() async throws {
        try await onOwnThread {
            let content = try Data(contentsOf: URL(fileURLWithPath: streamed.path()))
            let slow = try FaultServer(content, .slow(bytesPerSecond: content.count / 4))
            #expect(try Decoded(demuxer(slow.url)).numbers.count == 50)
            slow.setFault(.slow(bytesPerSecond: 500))
            let error = #expect(throws: CastError.self) {
                try Demuxer(MediaLocation(url: slow.url), cancellation: Cancellation(), timeout: 2)
            }
            #expect(error?.code == .timedOut)
        }
    }

    @Test("what has to be spooled and is too large is refused with a hint")
    func spoolLimit() throws {
        for fault in [FaultServer.Fault.noRange, .chunked] {
            let server = try FaultServer(file: Kind.all[0].clip.path(), fault)
            let network = Network(
                MediaSupply(MediaLocation(url: server.url)), cancellation: Cancellation(), spoolLimit: 20_000)
            let error = #expect(throws: CastError.self) { try Demuxer(network, timeout: 10) }
            #expect(error?.code == .serverIncorrectlyConfigured)
            #expect(error?.hint != nil)
        }
    }

    @Test("spooling goes on while bytes come, and not for ever")
    func patience() {
        var patience = SpoolPatience(start: HostTime(nanoseconds: 0))
        func second(_ number: Int64) -> HostTime { HostTime(nanoseconds: number * 1_000_000_000) }
        #expect(patience.left(after: 1000, now: second(1)) == nil)
        #expect(patience.left(after: 300_000, now: second(2)) == 10)
        #expect(patience.left(after: 400_000, now: second(3)) == nil)
        #expect(patience.left(after: 600_000, now: second(115)) == 5)
    }

    private var streamed: Clip {
        var clip = Kind.all[0].clip
        clip.more = ["-movflags", "+faststart"]
        return clip
    }

    private func demuxer(_ url: String) throws -> Demuxer {
        try Demuxer(MediaLocation(url: url), cancellation: Cancellation())
    }
}
