import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

/// The whole way over real sockets.
@Suite struct NetworkTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fault: FaultServer.Fault
        var mostConnections = 1
    }

    static let cases = [
        Case(testDescription: "well-behaved", fault: .ok),
        Case(testDescription: "no ranges", fault: .noRange),
        Case(testDescription: "406 to ranges", fault: .rejectRange),
        Case(testDescription: "chunked", fault: .chunked),
        Case(testDescription: "no length", fault: .noContentLength),
        Case(testDescription: "busy at first", fault: .status(503, times: 2)),
        Case(testDescription: "drops", fault: .dropAfter(fraction: 0.4, times: 3)),
        Case(testDescription: "gzip", fault: .gzip),
        Case(testDescription: "cookie", fault: .cookieRequired),
    ]

    @Test("a film plays to its end whatever the server's manners", arguments: cases)
    func plays(_ fault: Case) throws {
        var clip = Kind.all[0].clip
        clip.more = ["-movflags", "+faststart"]
        let server = try FaultServer(file: clip.path(), fault.fault)
        let demuxer = try Demuxer(MediaLocation(url: server.url), cancellation: Cancellation())
        #expect(try Decoded(demuxer).numbers == Array(0..<50))
        #expect(server.mostConnections == 1)
    }

    @Test("a server that knows one connection at a time is enough, with the index at the end")
    func serial() throws {
        let server = try FaultServer(file: Kind.all[0].clip.path(), isSerial: true)
        let demuxer = try Demuxer(MediaLocation(url: server.url), cancellation: Cancellation())
        try demuxer.seek(to: 1.5)
        #expect(try Decoded(demuxer).numbers == Array(25..<50))
        #expect(demuxer.traffic.byteCount > 50_000)
    }

    @Test("an index at the end on a server without ranges is waited for", arguments: [true, false])
    func spooled(announcesLength: Bool) throws {
        let server = try FaultServer(file: Kind.all[0].clip.path(), announcesLength ? .noRange : .chunked)
        let demuxer = try Demuxer(MediaLocation(url: server.url), cancellation: Cancellation())
        #expect(demuxer.isSeekable)
        #expect(try Decoded(demuxer).numbers == Array(0..<50))
        try demuxer.seek(to: 1.5)
        #expect(try Decoded(demuxer, enough: 1).numbers == [25])
    }

    @Test("nobody answers")
    func unreachable() throws {
        let refused = #expect(throws: CastError.self) {
            try Demuxer(MediaLocation(url: "http://127.0.0.1:1/film.mp4"), cancellation: Cancellation())
        }
        #expect(refused?.code == .cannotConnectToHost)
        let unknown = #expect(throws: CastError.self) {
            try Demuxer(MediaLocation(url: "http://name.invalid/film.mp4"), cancellation: Cancellation())
        }
        #expect(unknown?.code == .cannotFindHost)
    }

    @Test("a stall in the middle of opening is a timeout, at the deadline")
    func stalls() throws {
        let server = try FaultServer(file: Kind.all[0].clip.path(), .stallAfter(fraction: 0.01, times: 100))
        let began = HostTime.now
        let error = #expect(throws: CastError.self) {
            try Demuxer(MediaLocation(url: server.url), cancellation: Cancellation(), timeout: 1)
        }
        #expect(error?.code == .timedOut)
        #expect(HostTime.now.seconds(since: began) < 5)
    }
}
