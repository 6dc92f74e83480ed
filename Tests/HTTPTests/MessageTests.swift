import HTTP
import Testing

@testable import struct HTTP.HTTPDate
@testable import struct HTTP.RequestTarget
@testable import struct HTTP.WebURL

@Suite struct MessageTests {
    @Test func `headers know their names without regard to case and keep repeats`() {
        var headers: HTTPHeaders = ["Accept": "a", "X": "1", "accept": "b"]
        #expect(headers["ACCEPT"] == "a" && headers.values(of: "accept") == ["a", "b"])
        headers["aCCept"] = "c"
        #expect(headers.map(\.value) == ["c", "1"])
        headers["x"] = nil
        #expect(headers.map(\.name) == ["Accept"] && headers["x"] == nil)
    }

    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ])
    func `a date is written and read`(seconds: Int64, text: String) {
        #expect(HTTPDate(seconds: seconds).text == text)
        #expect(HTTPDate(text)?.seconds == seconds)
    }

    @Test(arguments: [
        "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Foo 1994 08:49:37 GMT",
    ])
    func `other dates are none`(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test(arguments: [
        "http://[fe8@1/a%:1%\u{12}5eth0]:7766/a", "http://h/[%25x]?[%]", "http://[fe80::1%25eth0]/a%b",
        "http://[fe\0]x@1/a", "http://u:p@[fe80::1%eth0]/",
    ])
    func `what is escaped stays as it is when it is read again`(text: String) throws {
        let url = try WebURL(text)
        #expect(try WebURL(url.text) == url)
    }

    @Test(arguments: ["http://a%01b/", "http://a%7f.example/", "https://a%ff.example/x", "http://%20/"])
    func `a host that hides control characters or broken text behind escapes is none`(text: String) {
        #expect(throws: HTTPError.self) { try WebURL(text) }
    }

    @Test(
        arguments: [
            ("bytes 0-9/100", ByteRange(offset: 0, length: 10), 100),
            ("bytes 5-5/*", ByteRange(offset: 5, length: 1), nil),
            ("BYTES 0-99/100", ByteRange(offset: 0, length: 100), 100), ("bytes */50", nil, 50),
        ] as [(String, ByteRange?, Int64?)])
    func `a Content-Range is read`(text: String, range: ByteRange?, size: Int64?) {
        let parsed = ContentRange(text)
        #expect(parsed?.range == range && parsed?.size == size && parsed != nil)
    }

    @Test(arguments: ["bytes 9-0/100", "bytes 0-100/100", "bytes */*", "lines 0-1/2", "bytes 0-1", "bytes -1-2/3", ""])
    func `a Content-Range that makes no sense is none`(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test func `media types go by the extension`() {
        #expect(MediaType.ofFile(at: "/a.b/Film.MKV") == "video/x-matroska")
        #expect(MediaType.ofFile(at: "x.m3u8") == "application/vnd.apple.mpegurl")
        #expect(
            MediaType.ofFile(at: "/a.mp4/none") == MediaType.unknown && MediaType.ofFile(at: "") == MediaType.unknown)
    }

    @Test func `a request by hand has its parts`() {
        let request = HTTPRequest(method: "GET", target: "/v1/a%20b?x=%3D&x=2&empty&=y")
        #expect(request.pathComponents == ["v1", "a b"])
        #expect(request.query == ["x": "=", "empty": "", "": "y"])
        #expect(RequestTarget("*")?.components == [])
        #expect(RequestTarget("http://host?x=1")?.query == ["x": "1"])
    }
}

@Suite struct HostPolicyTests {
    private let policy = HostPolicy(names: ["tv", "den.example.org", "Box.local"])

    @Test(arguments: [
        "127.0.0.1", "192.168.1.2:7766", "[::1]", "[fe80::1%25eth0]:7766", "[fe80::1%eth0]", "localhost",
        "LOCALHOST:80",
        "tv", "tv.local", "TV.local.:7766", "den.example.org", "den", "den.local", "box", "box.local:1",
    ])
    func `addresses and names of this machine are let in`(host: String) {
        #expect(policy.allows(host))
    }

    @Test(arguments: [
        "", "evil.example", "tv.evil.example", "127.0.0.1.evil.example", "[evil]", "[::1", "[::1]x", "tv:80x", "1.2.3",
        "::1", "den.example.org.evil", "localhost.evil", "tv@evil.example", " tv",
    ])
    func `others are not`(host: String) {
        #expect(!policy.allows(host))
    }

    @Test func `no header is not let in, and this machine knows itself`() {
        #expect(!policy.allows(nil))
        #expect(HostPolicy.thisMachine(names: ["extra"]).allows("extra.local"))
    }
}

@Suite struct ServerSentEventTests {
    private func parse(_ text: String, pieces size: Int = 1000) throws -> [ServerSentEvent] {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            events += try parser.parse(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return events
    }

    @Test(arguments: [1, 2, 3, 1000])
    func `what is encoded is read back, however it is cut`(size: Int) throws {
        let events = [
            ServerSentEvent(id: "1", event: "state", data: "{\"a\":\"é\"}"),
            ServerSentEvent(id: "2", data: "two\nlines\n"),
            ServerSentEvent(id: "3", data: ""), ServerSentEvent(id: "4", data: " space: and colon"),
        ]
        let text = events.map(\.encoded).joined(separator: ServerSentEvent.heartbeat.encoded)
        #expect(try parse(text, pieces: size) == events)
        #expect(try parse(text.replacing("\n", with: "\r\n"), pieces: size) == events)
        #expect(try parse(text.replacing("\n", with: "\r"), pieces: size) == events)
    }

    @Test func `the odd cases of the standard`() throws {
        #expect(try parse("data:x\ndata\n\n") == [ServerSentEvent(data: "x\n")])
        #expect(try parse("\u{FEFF}data: x\n\n") == [ServerSentEvent(data: "x")])
        #expect(try parse("event: a\n\ndata: x\n\n") == [ServerSentEvent(data: "x")])
        #expect(
            try parse("id: 1\n\ndata: x\n\nid\ndata: y\n\n") == [
                ServerSentEvent(id: "1", data: "x"), ServerSentEvent(id: "", data: "y"),
            ])
        #expect(try parse("data: unfinished\n").isEmpty)
        #expect(try parse("unknown: x\n: comment\ndata: x\n\n") == [ServerSentEvent(data: "x")])
        var parser = ServerSentEventParser()
        _ = try parser.parse("retry: 1500\nid: 7\n\n".utf8)
        #expect(parser.retry == 1.5 && parser.lastEventID == "7")
    }

    @Test func `breaks in a name or id start no new field`() throws {
        let event = ServerSentEvent(id: "1\ndata: x", event: "a\r\nid: 9", data: "y")
        #expect(try parse(event.encoded) == [ServerSentEvent(id: "1data: x", event: "aid: 9", data: "y")])
        #expect(try parse(ServerSentEvent(comment: "a\ndata: x").encoded).isEmpty)
    }

    @Test func `an event without end is given up`() {
        var parser = ServerSentEventParser(limit: 1000)
        #expect(throws: ServerSentEventParser.TooLong.self) {
            for _ in 0..<200 { _ = try parser.parse("data: 12345\n".utf8) }
        }
        var other = ServerSentEventParser(limit: 1000)
        #expect(throws: ServerSentEventParser.TooLong.self) {
            for _ in 0..<200 { _ = try other.parse("12345678".utf8) }
        }
        var fine = ServerSentEventParser(limit: 1000)
        #expect(throws: Never.self) {
            for _ in 0..<2000 { _ = try fine.parse(": heartbeat\n".utf8) }
        }
    }
}
