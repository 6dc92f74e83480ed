import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

/// Films whose times are not as one would wish, with the whole player.
@Suite(.serialized) struct OddFilmTests {
    private func server(_ arguments: [String], _ name: String, type: String = "video/mp4") throws -> FaultServer {
        let folder = try TemporaryFolder()
        let path = folder.path + "/" + name
        try run("ffmpeg", ["-v", "error", "-y"] + arguments + [path])
        return try FaultServer(Data(contentsOf: URL(fileURLWithPath: path)), contentType: type)
    }

    private func part(_ offset: Double) throws -> Data {
        var clip = Clips.film(seconds: 1)
        clip.fileExtension = "ts"
        if offset > 0 { clip.more = ["-output_ts_offset", "\(offset)"] }
        return try Data(contentsOf: URL(fileURLWithPath: clip.path()))
    }

    @Test(arguments: [[0, 0], [0, 40], [0, 100, 0]] as [[Double]])
    func `a recording whose clock jumps plays whole, and its position counts on`(_ offsets: [Double]) async throws {
        let content = try offsets.reduce(into: Data()) { $0 += try part($1) }
        let server = try FaultServer(content, contentType: "video/mp2t")
        let rig = Rig()
        try await rig.load(server.url)
        let seconds = Double(offsets.count)
        try await rig.idle()
        #expect(abs((rig.states.compactMap(\.item?.duration).last ?? 0) - seconds) < 0.3)
        let numbers = rig.screen.shown.compactMap(\.number)
        #expect(numbers.count > 15 * offsets.count)
        #expect(numbers.last == 24)
        #expect(rig.screen.shown.count { $0.number == 24 } == offsets.count)
        let times = rig.screen.shown.map(\.time)
        #expect(times == times.sorted())
        #expect(abs((times.last ?? 0) - seconds) < 0.3)
        #expect(rig.speaker.tones.count == offsets.count)
    }

    @Test func `in a recording whose clock jumps one can go back and on`() async throws {
        let content = try part(0) + part(40) + part(0)
        let server = try FaultServer(content, contentType: "video/mp2t")
        let rig = Rig()
        try await rig.load(server.url, paused: true)
        try #require(await eventually { abs((rig.player.state.item?.duration ?? 0) - 3) < 0.3 })
        for position in [2.5, 0.5, 1.5] {
            #expect(try await rig.seek(position).finished)
            let shown = try #require(rig.screen.current)
            #expect(abs(shown.time - position) < 0.1)
            // Each part begins a little after the second.
            #expect(abs((shown.number ?? 0) - 12) <= 6)
        }
    }

    @Test func `a film of one picture stays for as long as that picture lasts`() async throws {
        let server = try server(
            ["-f", "lavfi", "-i", "testsrc2=s=640x128:r=1/2:d=2", "-frames:v", "1", "-c:v", "libx264"], "one.mp4")
        let rig = Rig(readsNumbers: false)
        let start = HostTime.now
        try await rig.load(server.url)
        #expect(abs((rig.player.state.item?.duration ?? 0) - 2) < 0.01)
        try await rig.idle()
        #expect(HostTime.now.seconds(since: start) > 1.9)
        #expect(rig.screen.shown.count == 1)
    }

    @Test func `a picture that is an hour late is not waited for`() async throws {
        let clip = try Clips.film(seconds: 1).path()
        let server = try server(
            ["-itsoffset", "3600", "-i", clip, "-i", clip, "-map", "0:v", "-map", "1:a", "-c", "copy"], "late.mkv",
            type: "video/x-matroska")
        let rig = Rig()
        try await rig.load(server.url)
        try await rig.idle()
        #expect(rig.screen.shown.last?.number == 24)
        #expect((rig.screen.shown.last?.time ?? 0) < 2)
        #expect(rig.speaker.tones.count == 1)
    }

    @Test(arguments: [(1.0, 0.0), (0.0, 1.0)])
    func `what begins later is joined when its time comes`(picture: Double, sound: Double) async throws {
        let clip = try Clips.film(seconds: 1).path()
        let server = try server(
            ["-itsoffset", "\(picture)", "-i", clip, "-itsoffset", "\(sound)", "-i", clip]
                + ["-map", "0:v", "-map", "1:a", "-c", "copy"], "late.mkv", type: "video/x-matroska")
        let rig = Rig()
        try await rig.load(server.url)
        try await rig.idle()
        let times = rig.screen.shown.map(\.time)
        #expect(abs((times.first ?? -1) - picture) < 0.05)
        #expect(rig.screen.shown.last?.number == 24)
        let tone = try #require(rig.speaker.tones.first)
        #expect(rig.speaker.tones.count == 1)
        // The device pulls a little silence before playback begins.
        if sound > 0 { #expect(tone.start > 0.9) }
    }

    @Test func `a film with one key frame can be gone about in`() async throws {
        let server = try server(
            ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=60", "-c:v", "libx264", "-preset", "ultrafast"]
                + ["-g", "100000", "-keyint_min", "100000", "-sc_threshold", "0"], "long.mp4")
        let rig = Rig(readsNumbers: false)
        try await rig.load(server.url, paused: true)
        for position in [55.05, 3.05, 40.05] {
            #expect(try await rig.seek(position).finished)
            #expect(abs((rig.screen.current?.time ?? 0) - position) < 0.1)
        }
    }
}
