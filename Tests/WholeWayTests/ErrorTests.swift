import Casting
import Foundation
import Sender
import TestSupport
import Testing

/// What cannot be played: said to the sender and on the screen, and over after that.
struct ErrorTests {
    /// One thing that cannot be played.
    struct Failure: Sendable, CustomTestStringConvertible {
        let name: String
        let code: CastError.Code
        let url: @Sendable (FaultServer) throws -> String
        var testDescription: String { name }

        init(_ name: String, _ code: CastError.Code, _ url: @escaping @Sendable (FaultServer) throws -> String) {
            self.name = name
            self.code = code
            self.url = url
        }

        /// A body that is served as it stands.
        init(
            _ name: String, _ code: CastError.Code, type: String = "video/mp4", fault: FaultServer.Fault = .ok,
            _ body: @escaping @Sendable () throws -> Data
        ) {
            self.init(name, code) { $0.serve("/film", try body(), contentType: type, fault) }
        }
    }

    static let failures: [Failure] = [
        Failure("a port where nothing listens", .cannotConnectToHost) { server in
            server.stop()
            return server.url("/film")
        },
        Failure("a host that is not there", .cannotFindHost) { _ in "http://no-such-host.invalid/film.mp4" },
        Failure("404", .contentIsUnavailable) { $0.url("/nothing") },
        Failure("401", .contentIsNotAuthorized, fault: .status(401, times: 99)) { Data() },
        Failure("a server that never goes on", .timedOut, fault: .stallAfter(fraction: 0, times: 99)) {
            try content()
        },
        Failure("a page", .fileFormatNotRecognized, type: "text/html") {
            Data("<!doctype html><html><body><h1>Not here</h1></body></html>".utf8)
        },
        Failure("a text", .fileFormatNotRecognized, type: "text/plain") {
            Data(String(repeating: "No film at all. ", count: 4_000).utf8)
        },
        Failure("noise", .fileFormatNotRecognized) {
            Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
        },
        Failure("a codec nobody knows", .decoderNotFound) {
            var clip = Clip()
            clip.duration = 1
            clip.audio = nil
            return replacing("avcC", by: "zzzC", in: replacing("avc1", by: "zzzz", in: try content(clip)))
        },
        Failure("a film whose index is cut off", .fileFailedToParse) {
            let film = try content()
            return film.prefix(film.count / 2)
        },
        Failure("a film that ends too early", .fileFailedToParse) {
            var clip = Clip()
            (clip.fileExtension, clip.duration) = ("mkv", 2)
            let film = try content(clip)
            return film.prefix(film.count / 2)
        },
        Failure("a redirect to a file of the TV's", .unsupportedURL, fault: .redirect(to: "file:///etc/passwd")) {
            Data()
        },
    ]

    @Test("says why on both ends, and plays the next film", arguments: failures)
    func failure(_ failure: Failure) async throws {
        let theatre = try await Theatre()
        let server = try FaultServer()
        let start = ContinuousClock.now
        let played = try await theatre.castsend("play", try failure.url(server))
        #expect(played.status == 5, "\(played.errors)")
        #expect(ContinuousClock.now - start < .seconds(13))

        let item = try #require(try await theatre.state().item)
        let error = try #require(item.error)
        #expect(item.status == .failed)
        #expect(error.code == failure.code, "\(error)")
        #expect(played.errors.contains(error.message), "\(played.errors)")
        #expect(!error.message.contains("http") && error.message.hasSuffix("."), "\(error.message)")
        #expect(try await theatre.screenshot().hasErrorSign)

        let good = try ClipServer(path: try Clip().path())
        let next = try await theatre.castsend("play", good.url, "--at", "2", "--paused", "--detach")
        #expect(next.status == 0, "\(next.errors)")
        #expect(try await theatre.frameNumber() == 50)
    }

    @Test("the sentence is up for five seconds, then the card of an idle screen")
    func sentence() async throws {
        let theatre = try await Theatre()
        let server = try FaultServer()
        #expect(try await theatre.castsend("play", server.url("/nothing")).status == 5)
        let start = ContinuousClock.now
        #expect(try await theatre.screenshot().hasErrorSign)
        try await Task.sleep(for: .seconds(3.5))
        #expect(try await theatre.screenshot().hasErrorSign)
        #expect(try await eventually { try await !theatre.screenshot().hasErrorSign })
        #expect(ContinuousClock.now - start < .seconds(8))
        #expect(try await theatre.client.receiver().availability == .idle)
    }

    @Test("an item of the queue that cannot be played is passed over, and the screen says why")
    func passedOver() async throws {
        let theatre = try await Theatre()
        var clip = Clip()
        clip.video = nil
        let server = try ClipServer(path: try clip.path())
        let empty = try FaultServer()
        let session = try await theatre.openSession()
        let song = MediaItem(url: server.url, paused: true)
        try await session.load(song)
        try await session.enqueue(EnqueueRequest(items: [MediaItem(url: empty.url("/nothing")), song]))
        #expect(try await !theatre.screenshot(session).hasErrorSign)
        let error = await #expect(throws: CastError.self) { try await session.next() }
        #expect(error?.code == .contentIsUnavailable)
        #expect(try await eventually { try await session.playback().item?.status == .readyToPlay })
        #expect(try await theatre.screenshot(session).hasErrorSign)
        #expect(try await eventually { try await !theatre.screenshot(session).hasErrorSign })
    }

    @Test(
        "addresses that are none of the web's are refused, by castsend and by the receiver", arguments: ["ftp", "rtsp"])
    func schemes(_ scheme: String) async throws {
        let theatre = try await Theatre()
        let refused = try await theatre.castsend("play", "\(scheme)://127.0.0.1/film.mp4")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("http"), "\(refused.errors)")
        let session = try await theatre.openSession()
        for url in [
            "\(scheme)://127.0.0.1/film.mp4", "file:///etc/passwd", "/etc/passwd", "concat:/etc/passwd", "pipe:0",
        ] {
            let error = await #expect(throws: CastError.self) { try await session.load(MediaItem(url: url)) }
            #expect(error?.code == .unsupportedURL, "\(url): \(String(describing: error))")
        }
        #expect(try await session.playback().item == nil)
    }

    private static func content(_ clip: Clip = Clip()) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: try clip.path()))
    }

    private static func replacing(_ old: String, by new: String, in data: Data) -> Data {
        var data = data
        while let range = data.range(of: Data(old.utf8)) { data.replaceSubrange(range, with: Data(new.utf8)) }
        return data
    }
}
