import Casting
import Dispatch
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import Media

@Suite struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var manners: FakeServer.Manners
        var code: CastError.Code

        init(_ description: String, _ code: CastError.Code, _ change: (inout FakeServer.Manners) -> Void) {
            testDescription = description
            self.code = code
            manners = FakeServer.Manners()
            change(&manners)
        }

        static let all = [
            Fault("404", .contentIsUnavailable) { $0.statuses = [404] },
            Fault("401", .contentIsNotAuthorized) { $0.statuses = [401] },
            Fault("403", .contentIsNotAuthorized) { $0.statuses = [403] },
            Fault("503 for long", .contentIsUnavailable) { $0.statuses = [503, 503, 503, 503] },
            Fault("no such name", .cannotFindHost) { $0.error = .cannotFindHost },
            Fault("refused", .cannotConnectToHost) { $0.error = .cannotConnectToHost },
            Fault("TLS", .secureConnectionFailed) { $0.error = .secureConnectionFailed },
            Fault("redirect loop", .serverIncorrectlyConfigured) { $0.error = .tooManyRedirects },
            Fault("silence", .timedOut) { $0.isSilent = true },
            Fault("stall", .timedOut) { $0.stallAfter = 100 },
        ]
    }

    @Test("every failure to open has its own error, in time", arguments: Fault.all)
    func openFails(_ fault: Fault) throws {
        let server = try FakeServer(fault.manners, path: Kind.all[0].clip.path())
        let began = HostTime.now
        let error = #expect(throws: CastError.self) { try server.demuxer(timeout: 2) }
        #expect(error?.code == fault.code)
        #expect(HostTime.now.seconds(since: began) < 8)
    }

    @Test(
        "what is no media says so", arguments: ["", "hello", "<html><body>Not found</body></html>", "#!/bin/sh\necho"])
    func notMedia(_ text: String) throws {
        let data = Data(text.utf8)
        let error = #expect(throws: CastError.self) { try FakeServer { _ in data }.demuxer() }
        #expect(error?.code == .fileFormatNotRecognized)
    }

    @Test("playlists that lead to themselves come to an end")
    func endlessPlaylist() throws {
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://server/film\n"
        let server = FakeServer { _ in Data(text.utf8) }
        let error = #expect(throws: CastError.self) { try server.demuxer("http://server/film") }
        #expect(error?.code == .fileFailedToParse)
        #expect(server.log.requests.count < 1000)
    }

    @Test("what libav* cannot make sense of is damage, not a fault of the receiver", arguments: [EIO, EINVAL])
    func damage(_ number: Int32) {
        #expect(CastError(averror: -number, doing: "opening the media").code == .fileFailedToParse)
    }

    @Test(
        "only http and https are asked for",
        arguments: ["file:///etc/passwd", "ftp://x/y", "concat:/etc/passwd", "x", ""])
    func scheme(_ url: String) throws {
        let server = FakeServer { _ in nil }
        let error = #expect(throws: CastError.self) { try server.demuxer(url) }
        #expect(error?.code == .unsupportedURL)
        #expect(server.log.requests.isEmpty)
    }

    @Test("a busy server is asked again")
    func busy() throws {
        var manners = FakeServer.Manners()
        manners.statuses = [503, 503]
        let server = try FakeServer(manners, path: Kind.all[0].clip.path())
        #expect(try Decoded(server.demuxer()).numbers.count == 50)
    }

    @Test("a connection that breaks is made again at the byte, one at a time")
    func resumed() throws {
        var manners = FakeServer.Manners()
        manners.breakAfter = 30_000
        manners.breaks = 3
        let server = try FakeServer(manners, path: Kind.all[0].clip.path())
        #expect(try Decoded(server.demuxer()).numbers == Array(0..<50))
        #expect(server.log.breaksLeft <= 1)
        #expect(server.log.mostOpen == 1)
    }

    @Test("a connection that keeps breaking is an error and never the end")
    func lost() throws {
        var manners = FakeServer.Manners()
        manners.breakAfter = 30_000
        manners.breaks = 1000
        manners.knowsRanges = false
        manners.announcesLength = false
        let server = try FakeServer(manners, path: fastStart().path())
        let error = #expect(throws: CastError.self) { try Decoded(server.demuxer()) }
        #expect(error?.code == .networkConnectionLost)
    }

    @Test("a server without ranges plays from the start and cannot seek", arguments: [true, false])
    func noRanges(announcesLength: Bool) throws {
        var manners = FakeServer.Manners()
        manners.knowsRanges = false
        manners.announcesLength = announcesLength
        let demuxer = try FakeServer(manners, path: fastStart().path()).demuxer()
        #expect(!demuxer.isSeekable)
        #expect(!demuxer.isLive)
        #expect(throws: CastError.self) { try demuxer.seek(to: 1) }
        #expect(try Decoded(demuxer).numbers == Array(0..<50))
    }

    @Test("a server that does not accept a range is asked for the whole")
    func rangeRefused() throws {
        var manners = FakeServer.Manners()
        manners.rangeStatus = 406
        let server = try FakeServer(manners, path: fastStart().path())
        #expect(try Decoded(server.demuxer()).numbers == Array(0..<50))
    }

    @Test("a file that is cut short is incomplete and not at its end", arguments: ["mp4", "mkv"])
    func cutShort(_ container: String) throws {
        var clip = fastStart()
        clip.fileExtension = container
        clip.duration = 4
        let whole = try Data(contentsOf: URL(fileURLWithPath: clip.path()))
        let half = whole.prefix(whole.count / 2)
        let demuxer = try FakeServer { _ in half }.demuxer()
        let error = #expect(throws: CastError.self) { try Decoded(demuxer) }
        #expect(error?.code == .fileFailedToParse)
    }

    @Test("a blocked read ends within 100 ms of being cancelled, and the media goes on elsewhere")
    func cancelled() throws {
        var manners = FakeServer.Manners()
        manners.stallAfter = 200_000
        var clip = fastStart()
        clip.duration = 20
        let server = try FakeServer(manners, path: clip.path())
        let cancellation = Cancellation()
        let demuxer = try server.demuxer(cancellation: cancellation)
        let cancelledAt = Mutex(HostTime.now)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) {
            cancelledAt.withLock { $0 = .now }
            cancellation.cancel()
            done.signal()
        }
        let error = #expect(throws: CastError.self) { while try demuxer.nextPacket() != nil {} }
        done.wait()
        #expect(error?.code == .operationCancelled)
        #expect(HostTime.now.seconds(since: cancelledAt.withLock { $0 }) < 0.1)
        demuxer.cancellation = Cancellation()
        try demuxer.seek(to: 10)
        #expect(try Decoded(demuxer, enough: 1).numbers == [250])
    }

    @Test("opening ends within 100 ms of being cancelled")
    func cancelledOpening() throws {
        var manners = FakeServer.Manners()
        manners.isSilent = true
        let server = try FakeServer(manners, path: Kind.all[0].clip.path())
        let cancellation = Cancellation()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { cancellation.cancel() }
        let began = HostTime.now
        let error = #expect(throws: CastError.self) { try server.demuxer(cancellation: cancellation) }
        #expect(error?.code == .operationCancelled)
        #expect(HostTime.now.seconds(since: began) < 5)
    }

    private func fastStart() -> Clip {
        var clip = Kind.all[0].clip
        clip.more = ["-movflags", "+faststart"]
        return clip
    }
}
