import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct RadioTests {
    private static let station = ["icy-name: Castway One", "icy-br: 128"]

    private static func clip() throws -> Data {
        var clip = Clip()
        clip.video = nil
        clip.audio = ["-c:a", "libmp3lame", "-b:a", "128k"]
        clip.duration = 6
        clip.fileExtension = "mp3"
        return try Data(contentsOf: URL(fileURLWithPath: try clip.path()))
    }

    @Test("a radio station whose connection breaks is listened to further on")
    func goesOn() throws {
        let data = try Self.clip()
        let server = try FaultServer()
        let url = server.serve("/live", data, contentType: "audio/mpeg", .noContentLength, headers: Self.station)
        let demuxer = try Demuxer(MediaLocation(url: url), cancellation: Cancellation())
        #expect(demuxer.isLive && !demuxer.isSeekable)
        var bytes = 0
        // The server ends each answer; the station goes on.
        while bytes < 2 * data.count, let packet = try demuxer.nextPacket() { bytes += packet.byteCount }
        #expect(bytes >= 2 * data.count)
        #expect(server.requests.count >= 3)
    }

    @Test("a radio station that is gone for good ends with an error")
    func givesUp() throws {
        let server = try FaultServer()
        let url = server.serve(
            "/live", try Self.clip(), contentType: "audio/mpeg", .noContentLength, headers: Self.station)
        let supply = MediaSupply(MediaLocation(url: url), grace: 1)
        let demuxer = try Demuxer(supply, cancellation: Cancellation())
        server.stop()
        let error = #expect(throws: CastError.self) { while try demuxer.nextPacket() != nil {} }
        #expect(error?.code == .cannotConnectToHost || error?.code == .networkConnectionLost)
    }

    @Test("what is no station ends where its server ends it")
    func ends() throws {
        let server = try FaultServer()
        let url = server.serve("/film", try Self.clip(), contentType: "audio/mpeg", .noContentLength)
        let demuxer = try Demuxer(MediaLocation(url: url), cancellation: Cancellation())
        while try demuxer.nextPacket() != nil {}
        #expect(server.requests.count == 1)
    }
}
