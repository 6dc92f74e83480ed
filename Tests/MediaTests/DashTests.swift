import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct DashTests {
    static func manifest(_ text: String) -> DashManifest? {
        DashManifest(text, address: "http://h/films/film.mpd?t=1", now: 1_000_000)
    }

    @Test("pieces are found by number, by time and by list")
    func pieces() throws {
        let common = #"<AdaptationSet contentType="video"><Representation id="v" bandwidth="9""#
        let byNumber = try #require(
            Self.manifest(
                #"""
                <?xml version="1.0"?><!-- a > b --><MPD type="static" mediaPresentationDuration="PT1M4.5S"><Period>
                \#(common)><SegmentTemplate media="$RepresentationID$/a-$Number%05d$.m4s" initialization='i$$.mp4'
                timescale="10" duration="300" startNumber="7"/></Representation></AdaptationSet></Period></MPD>
                """#))
        let numbered = try #require(byNumber.representations.first)
        #expect(numbered.initialization?.address == "http://h/films/i$.mp4")
        #expect(numbered.segments.map(\.piece.address) == (7...9).map { "http://h/films/v/a-0000\($0).m4s" })
        #expect(numbered.segments.map(\.start) == [0, 30, 60])
        #expect(abs(try #require(numbered.segments.last?.duration) - 4.5) < 0.001)

        let byTime = try #require(
            Self.manifest(
                #"""
                <MPD mediaPresentationDuration="PT10S"><BaseURL>../b/</BaseURL><Period>\#(common)>
                <SegmentTemplate media="t$Time$?a=1&amp;b=2" timescale="1" presentationTimeOffset="100"><SegmentTimeline>
                <S t="100" d="2" r="1"/><S d="3" r="-1"/></SegmentTimeline></SegmentTemplate></Representation>
                </AdaptationSet></Period></MPD>
                """#))
        let timed = try #require(byTime.representations.first)
        #expect(timed.segments.map(\.piece.address) == [100, 102, 104, 107].map { "http://h/b/t\($0)?a=1&b=2" })
        #expect(timed.segments.map(\.start) == [0, 2, 4, 7])

        let byList = try #require(
            Self.manifest(
                #"""
                <MPD><Period duration="PT4S">\#(common)><BaseURL>one.mp4</BaseURL><SegmentList duration="2">
                <Initialization range="0-99"/><SegmentURL mediaRange="100-199"/><SegmentURL media="http://o/x"/>
                </SegmentList></Representation></AdaptationSet></Period></MPD>
                """#))
        let listed = try #require(byList.representations.first)
        #expect(listed.initialization == .init(address: "http://h/films/one.mp4", range: (0, 100)))
        #expect(listed.segments.first?.piece == .init(address: "http://h/films/one.mp4", range: (100, 100)))
        #expect(listed.segments.last?.piece.address == "http://o/x")
        #expect(byList.duration == 4)
    }

    @Test("of a live stream those pieces are named that are to be had")
    func live() throws {
        let manifest = try #require(
            Self.manifest(
                #"""
                <MPD type="dynamic" availabilityStartTime="1970-01-12T13:46:00Z" timeShiftBufferDepth="PT10S"
                minimumUpdatePeriod="PT2S"><Period start="PT0S"><AdaptationSet mimeType="audio/mp4">
                <SegmentTemplate media="$Number$" duration="2" startNumber="5"/><Representation id="a"/>
                </AdaptationSet></Period></MPD>
                """#))
        // Forty seconds have passed.
        let audio = try #require(manifest.representations.first)
        #expect(audio.segments.map(\.start) == [30, 32, 34, 36, 38])
        #expect(audio.segments.first?.piece.address == "http://h/films/20")
        #expect(manifest.isLive && manifest.updatePeriod == 2)
    }

    @Test(
        "a manifest that leads away from the web, or cannot be made out, is none",
        arguments: [
            "<MPD><BaseURL>file:///etc/</BaseURL></MPD>", "<MPD><BaseURL>\n FILE:///etc/passwd</BaseURL></MPD>",
            "<MPD><BaseURL>&#102;ile:///etc/passwd</BaseURL></MPD>",
            "<MPD><BaseURL><![CDATA[file:///etc/]]></BaseURL></MPD>",
            "<!DOCTYPE MPD [<!ENTITY f 'file'>]><MPD/>", "<MPD><BaseURL>&f;ile:/a</BaseURL></MPD>", "<MPD>", "<a/>",
            "<MPD", "<MPD></a>", "", "<MPD a=1/>",
        ])
    func elsewhere(_ text: String) {
        let whole = text.replacingOccurrences(of: "</MPD>", with: "<Period/></MPD>")
        #expect(Self.manifest(whole)?.representations.isEmpty ?? true)
        #expect(Self.manifest(whole) == nil || text.contains("<MPD/>"))
    }

    @Test("an index of segments is read, and a broken one is not")
    func index() {
        var box: [UInt8] = [0, 0, 0, 56] + Array("sidx".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 10]
        box += [0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 2]
        for size in [100, 200] as [UInt8] { box += [0, 0, 0, size, 0, 0, 0, 20, 0x90, 0, 0, 0] }
        let segments = SegmentIndex.segments(box, at: 1000)
        #expect(segments?.map(\.first) == [1060, 1160])
        #expect(segments?.map(\.count) == [100, 200])
        #expect(segments?.map(\.duration) == [2, 2])
        for count in 0..<(box.count - 4) { #expect(SegmentIndex.segments(Array(box.prefix(count)), at: 0) == nil) }
    }

    @Test("a manifest cannot lead to files of the television")
    func files() throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let clip = try Kind.all[0].clip.path()
        try run("ffmpeg", ["-v", "error", "-i", clip, "-c", "copy", "-f", "dash", path + "/film.mpd"])
        let manifest = try String(contentsOfFile: path + "/film.mpd", encoding: .utf8)
        let local = manifest.replacingOccurrences(
            of: "<Period", with: "<BaseURL>file://\(path)/</BaseURL><Period")
        let server = try FaultServer()
        server.serve("/film.mpd", Data(local.utf8))
        let error = #expect(throws: CastError.self) {
            try Demuxer(MediaLocation(url: server.url("/film.mpd")), cancellation: Cancellation(), timeout: 3)
        }
        #expect(error?.code == .unsupportedURL)
        #expect(server.requests.count == 1)
    }

    enum Shape: String, CaseIterable {
        case template, timeline, list, file
    }

    @Test("every way to name pieces plays whole through connections of our own, and seeks", arguments: Shape.allCases)
    func plays(_ shape: Shape) throws {
        let stage = try Stage(shape)
        let demuxer = try stage.demuxer(headers: ["Authorization": "secret"])
        #expect(demuxer.isSeekable && !demuxer.isLive)
        #expect(abs(try #require(demuxer.duration) - 4) < 0.2)
        let decoded = try Decoded(demuxer)
        #expect(decoded.numbers == Array(0..<100))
        #expect(abs(try #require(decoded.pictureTimes.first)) < 0.03, "\(decoded.pictureTimes.prefix(3))")
        #expect(abs(try #require(decoded.soundEnd) - 4) < 0.15)
        let requests = stage.server.requests
        #expect(requests.allSatisfy { $0.headers["authorization"] == "secret" })
        #expect(requests.allSatisfy { !($0.headers["user-agent"] ?? "").contains("Lavf") })
        for (target, number) in [(2.5, 50), (0.3, 0), (3.2, 75)] {
            try demuxer.seek(to: target)
            let there = try Decoded(demuxer, enough: 1)
            #expect(there.numbers.first == number, "seek to \(target)")
            #expect(abs(try #require(there.pictureTimes.first) - decoded.pictureTimes[number]) < 0.001)
        }
        // All of it was at hand.
        #expect(stage.server.requests.count == requests.count)
    }

    @Test(
        "a manifest's pieces outlast what servers do",
        arguments: [.dropAfter(fraction: 0.5, times: 1), .status(503, times: 2)] as [FaultServer.Fault])
    func outlasts(_ fault: FaultServer.Fault) throws {
        let stage = try Stage(.template)
        try stage.serve("chunk-stream0-00002.m4s", fault)
        #expect(try Decoded(stage.demuxer()).numbers == Array(0..<100))
    }

    @Test("a piece that never comes does not hold up who wants to leave")
    func cancels() async throws {
        let stage = try Stage(.template)
        let piece = "chunk-stream0-00004.m4s"
        try stage.serve(piece, .noAnswer)
        let cancellation = Cancellation()
        async let outcome = onOwnThread {
            let error = #expect(throws: CastError.self) {
                let demuxer = try Demuxer(MediaLocation(url: stage.server.url("/film.mpd")), cancellation: cancellation)
                while try demuxer.nextPacket() != nil {}
            }
            return (error?.code, HostTime.now)
        }
        #expect(await eventually(within: 60) { stage.server.requests.contains { $0.path.hasSuffix(piece) } })
        let began = HostTime.now
        cancellation.cancel()
        let (code, end) = try await outcome
        #expect(code == .operationCancelled)
        #expect(end.seconds(since: began) < 1)
    }

    private struct Stage {
        let folder: TemporaryFolder
        let server: FaultServer

        init(_ shape: Shape) throws {
            folder = try TemporaryFolder()
            server = try FaultServer()
            var clip = Kind.all[0].clip
            clip.duration = 4
            clip.keyInterval = 25
            var arguments = ["-v", "error", "-i", try clip.path(), "-c", "copy", "-f", "dash", "-seg_duration", "1"]
            arguments += ["-adaptation_sets", "id=0,streams=v id=1,streams=a"]
            switch shape {
            case .template: arguments += ["-use_template", "1", "-use_timeline", "0"]
            case .timeline: arguments += ["-use_template", "1", "-use_timeline", "1"]
            case .list: arguments += ["-use_template", "0", "-use_timeline", "0"]
            case .file: arguments += ["-single_file", "1", "-global_sidx", "1"]
            }
            try run("ffmpeg", arguments + [folder.path + "/film.mpd"])
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) { try serve(name, .ok) }
        }

        func serve(_ name: String, _ fault: FaultServer.Fault) throws {
            let data = try #require(FileManager.default.contents(atPath: folder.path + "/" + name))
            server.serve("/" + name, data, fault)
        }

        func demuxer(headers: [String: String] = [:]) throws -> Demuxer {
            try Demuxer(
                MediaLocation(url: server.url("/film.mpd"), headers: headers), cancellation: Cancellation())
        }
    }
}
