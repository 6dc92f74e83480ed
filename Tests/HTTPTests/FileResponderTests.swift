import Foundation
import HTTP
import TestSupport
import Testing

@Suite struct FileResponderTests {
    private let folder: TemporaryFolder
    private let path: String
    private let server: RunningServer

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.path + "/a film.mp4"
        self.path = path
        try sample.write(to: URL(fileURLWithPath: path))
        server = try RunningServer { FileResponder(path: path).response(to: $0) }
    }

    private func get(_ headers: HTTPHeaders = [:], method: String = "GET") async throws -> HTTPClientResponse {
        try await HTTPClient().send(method, "http://127.0.0.1:\(server.port)/", headers: headers)
    }

    @Test func `a whole file comes with what seeking needs`() async throws {
        let response = try await get()
        #expect(response.status == 200 && response.body == sample)
        #expect(response.headers["Accept-Ranges"] == "bytes" && response.headers["Content-Type"] == "video/mp4")
        #expect(response.headers["Content-Length"] == "1500000")
        #expect(
            response.headers["ETag"]?.hasPrefix("\"") == true
                && response.headers["Last-Modified"]?.hasSuffix("GMT") == true)
    }

    @Test func `HEAD tells the size and sends nothing`() async throws {
        let response = try await get(method: "HEAD")
        #expect(response.status == 200 && response.body.isEmpty && response.headers["Content-Length"] == "1500000")
        let part = try await get(["Range": "bytes=0-99"], method: "HEAD")
        #expect(part.status == 206 && part.headers["Content-Length"] == "100")
    }

    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=100-199", 100..<200), ("bytes=1499999-", 1_499_999..<1_500_000),
        ("bytes=-500", 1_499_500..<1_500_000), ("bytes=0-9999999999", 0..<1_500_000), ("bytes=5-", 5..<1_500_000),
        ("bytes=-99999999", 0..<1_500_000), ("Bytes = 10 - 19", 10..<20),
        ("bytes=7-99999999999999999999", 7..<1_500_000),
    ])
    func `a range gives just that part`(header: String, expected: Range<Int>) async throws {
        let response = try await get(["Range": header])
        #expect(response.status == 206 && response.body == sample[expected])
        #expect(response.headers["Content-Range"] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/1500000")
    }

    @Test(arguments: ["bytes=1500000-", "bytes=99999999999999999999-", "bytes=-0"])
    func `a range past the end is told so`(header: String) async throws {
        let response = try await get(["Range": header])
        #expect(response.status == 416 && response.headers["Content-Range"] == "bytes */1500000")
    }

    @Test(arguments: ["bytes=9-5", "bytes=a-b", "lines=1-2", "bytes=0-1,5-6", "bytes=-", "bytes", "bytes=--5"])
    func `a range that makes no sense, or several, give the whole`(header: String) async throws {
        let response = try await get(["Range": header])
        #expect(response.status == 200 && response.body.count == 1_500_000)
    }

    @Test func `conditions are kept`() async throws {
        let first = try await get(method: "HEAD")
        let tag = try #require(first.headers["ETag"])
        let date = try #require(first.headers["Last-Modified"])
        let old = "Sun, 06 Nov 1994 08:49:37 GMT"
        let cases: [(HTTPHeaders, Int)] = [
            (["If-None-Match": tag], 304), (["If-None-Match": "\"x\", W/\(tag)"], 304), (["If-None-Match": "*"], 304),
            (["If-None-Match": "\"x\""], 200), (["If-Modified-Since": date], 304), (["If-Modified-Since": old], 200),
            (["If-Modified-Since": "nonsense"], 200), (["If-None-Match": "\"x\"", "If-Modified-Since": date], 200),
            (["If-Match": tag], 200), (["If-Match": "\"x\""], 412), (["If-Unmodified-Since": old], 412),
            (["If-Unmodified-Since": date], 200), (["Range": "bytes=0-4", "If-Range": tag], 206),
            (["Range": "bytes=0-4", "If-Range": date], 206), (["Range": "bytes=0-4", "If-Range": "\"x\""], 200),
            (["Range": "bytes=0-4", "If-Range": old], 200),
        ]
        for (headers, expected) in cases {
            let response = try await get(headers)
            #expect(response.status == expected, "\(headers)")
            if expected == 304 { #expect(response.body.isEmpty && response.headers["ETag"] == tag) }
        }
    }

    @Test func `a changed file has another tag`() async throws {
        let before = try await get(method: "HEAD").headers["ETag"]
        try Data(sample.reversed()).write(to: URL(fileURLWithPath: path))
        #expect(try await get(method: "HEAD").headers["ETag"] != before)
    }

    @Test func `other methods and files that are not there`() async throws {
        let post = try await get(method: "POST")
        #expect(post.status == 405 && post.headers["Allow"] == "GET, HEAD")
        try FileManager.default.removeItem(atPath: path)
        #expect(try await get().status == 404)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(try await get().status == 404)
    }

    @Test func `an empty file is empty`() async throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let response = try await get()
        #expect(response.status == 200 && response.headers["Content-Length"] == "0")
        #expect(try await get(["Range": "bytes=0-"]).status == 416)
    }

    @Test func `many readers of a film get it whole at once`() async throws {
        let url = "http://127.0.0.1:\(server.port)/"
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<30 {
                group.addTask {
                    let transfer = HTTPTransfer(url: url, offset: Int64(number * 1000))
                    return try await onOwnThread { try readAll(transfer) } == sample[(number * 1000)...]
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func `stop does not wait for a film that nobody reads`() async throws {
        let port = server.port
        let connection = try await onOwnThread {
            let connection = try RawConnection(port: port)
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try connection.receive(100)
            return connection
        }
        let begin = ContinuousClock.now
        server.server.stop()
        #expect(ContinuousClock.now - begin < .milliseconds(500))
        withExtendedLifetime(connection) {}
    }
}
