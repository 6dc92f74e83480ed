import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

/// Every fault that can be made here is held to its error: code, sentence and hint.
@Suite(.serialized) struct ErrorTableTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var codes: Set<CastError.Code>
        var url: @Sendable (FaultServer) throws -> String

        init(_ name: String, _ codes: CastError.Code..., url: @escaping @Sendable (FaultServer) throws -> String) {
            testDescription = name
            self.codes = Set(codes)
            self.url = url
        }

        /// Something that is served as it stands.
        static func body(
            _ name: String, _ codes: CastError.Code..., path: String = "/film.mp4", type: String = "video/mp4",
            fault: FaultServer.Fault = .ok, _ content: @escaping @Sendable () throws -> Data
        ) -> Fault {
            var result = Fault(name) { server in
                server.serve(path, try content(), contentType: type, fault)
                return server.url(path)
            }
            result.codes = Set(codes)
            return result
        }

        static func playlist(_ name: String, _ text: String) -> Fault {
            body(name, .contentIsProtected, path: "/list.m3u8", type: "application/vnd.apple.mpegurl") {
                Data(text.utf8)
            }
        }
    }

    private static func film() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: Clips.streamed.path())) }

    static let segments = "#EXTINF:4,\nsegment.ts\n#EXT-X-ENDLIST\n"
    static let head = "#EXTM3U\n#EXT-X-VERSION:5\n#EXT-X-TARGETDURATION:4\n"
    static let fairPlay =
        "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://key\",KEYFORMAT=\"com.apple.streamingkeydelivery\",KEYFORMATVERSIONS=\"1\"\n"
    static let widevine =
        "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"data:text/plain;base64,AAAA\",KEYFORMAT=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"\n"

    static let faults: [Fault] = [
        Fault("nothing listens", .cannotConnectToHost) { server in
            let url = server.url("/film")
            server.stop()
            return url
        },
        Fault("no such host", .cannotFindHost) { _ in "http://no-such-host.invalid/film.mp4" },
        Fault("404", .contentIsUnavailable) { $0.url("/nothing") },
        .body("401", .contentIsNotAuthorized, fault: .status(401, times: 99)) { Data() },
        .body("403", .contentIsNotAuthorized, CastError.Code(rawValue: "urlExpired"), fault: .status(403, times: 99)) {
            Data()
        },
        .body("500", .contentIsUnavailable, fault: .status(500, times: 99)) { Data() },
        .body("redirects for ever", .serverIncorrectlyConfigured, fault: .redirectLoop) { Data() },
        .body("a redirect to a file", .unsupportedURL, fault: .redirect(to: "file:///etc/passwd")) { Data() },
        Fault("a file of the receiver's", .unsupportedURL) { _ in "file:///etc/passwd" },
        Fault("TLS where there is none", .secureConnectionFailed) {
            $0.url("/film").replacing("http://", with: "https://")
        },
        .body("an answer that never goes on", .timedOut, fault: .stallAfter(fraction: 0, times: 99)) { try film() },
        .body("nothing at all", .fileFormatNotRecognized, .fileFailedToParse) { Data() },
        .body("a page", .fileFormatNotRecognized, path: "/page", type: "text/html") {
            Data("<!doctype html><p>No.".utf8)
        },
        .body("noise", .fileFormatNotRecognized, path: "/noise") {
            Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
        },
        .body("an index cut off", .fileFailedToParse) {
            let film = try Data(contentsOf: URL(fileURLWithPath: Clips.film.path()))
            return film.prefix(film.count / 2)
        },
        .body("a codec nobody knows", .decoderNotFound) {
            replacing(
                "avcC", by: "zzzC",
                in: replacing(
                    "avc1", by: "zzzz",
                    in: try Data(
                        contentsOf: URL(fileURLWithPath: Clips.silent.path()))))
        },
        .body("a playlist of nothing", .fileFailedToParse, .fileFormatNotRecognized, path: "/list.m3u8") {
            Data("#EXTM3U\n".utf8)
        },
        .body("an encrypted film", .contentIsProtected) {
            var clip = Clips.film
            clip.more = [
                "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb",
                "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8",
            ]
            return try Data(contentsOf: URL(fileURLWithPath: clip.path()))
        },
        .playlist("a playlist with FairPlay's key", head + fairPlay + segments),
        .playlist("a playlist with Widevine's key", head + widevine + segments),
        .playlist(
            "a master playlist with a session key",
            "#EXTM3U\n" + fairPlay.replacing("EXT-X-KEY", with: "EXT-X-SESSION-KEY")
                + "#EXT-X-STREAM-INF:BANDWIDTH=1000000\nmedia.m3u8\n"),
        Fault("a master playlist that leads to a protected one", .contentIsProtected) { server in
            server.serve(
                "/media.m3u8", Data((head + fairPlay + segments).utf8), contentType: "application/vnd.apple.mpegurl")
            server.serve(
                "/master.m3u8", Data("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000\nmedia.m3u8\n".utf8),
                contentType: "application/vnd.apple.mpegurl")
            return server.url("/master.m3u8")
        },
        .body("a protected DASH manifest", .contentIsProtected, path: "/film.mpd", type: "application/dash+xml") {
            Data(
                """
                <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
                mediaPresentationDuration="PT4S"><Period><AdaptationSet mimeType="video/mp4"><ContentProtection \
                schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"/><Representation id="1" bandwidth="1000">\
                <BaseURL>film.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>
                """.utf8)
        },
    ]

    @Test(arguments: faults)
    func `each fault has its error, which is final for the item and for nothing else`(fault: Fault) async throws {
        let server = try FaultServer()
        var settings = PlayerSettings()
        settings.loadTimeout = 6
        let rig = Rig(readsNumbers: false, settings: settings)
        let url = try fault.url(server)
        let error = try #require(await #expect(throws: CastError.self) { try await rig.load(url) })
        #expect(fault.codes.contains(error.code), "\(error.code.rawValue): \(error)")
        #expect(error.message.hasSuffix("."))
        #expect(error.hint?.hasSuffix(".") == true)
        let state = rig.player.state
        #expect(state.item?.status == .failed)
        #expect(state.item?.error == error)
        #expect(state.timeControlStatus == .paused)
        for command in [Command.play, .pause, .setRate(2), .seek(SeekRequest(position: 0)), .skip(by: 1)] {
            await #expect(throws: error) { try await rig.player.perform(command) }
        }
        #expect(await eventually { rig.events.contains(.failed(itemID: "item-1", error: error)) })
        #expect(rig.ended.isEmpty)
        let film = try ClipServer(path: Clips.film.path())
        try await rig.load(film.url, paused: true)
        #expect(rig.player.state.item?.error == nil)
        #expect(rig.player.state.item?.status == .readyToPlay)
    }

    @Test func `the server vanishes: what is buffered plays, it waits, then fails where it was`() async throws {
        let content = try Data(contentsOf: URL(fileURLWithPath: Clips.heavy(seconds: 4).path()))
        let server = try FaultServer()
        server.serve("/film.mp4", content, .stallAfter(fraction: 0.5, times: 1))
        let rig = Rig(readsNumbers: false)
        try await rig.load(server.url("/film.mp4"))
        try await rig.playing()
        server.stop()
        try #require(
            await eventually(within: 30) { rig.events.contains { if case .stalled = $0 { true } else { false } } })
        let waiting = rig.player.state
        #expect(waiting.reasonForWaitingToPlay == .toMinimizeStalls)
        #expect(waiting.rate == 1)
        try #require(await eventually(within: 60) { rig.player.state.item?.status == .failed })
        let state = rig.player.state
        #expect(state.item?.error?.code == .noLongerPlayable)
        #expect(state.item?.error?.hint != nil)
        #expect(abs(state.timeline.position - waiting.timeline.position) < 0.5)
        #expect(state.timeline.position > 1)
        #expect(
            await eventually { rig.events.contains { if case .failedToEnd("item-1", _) = $0 { true } else { false } } })
        #expect(rig.ended.isEmpty)
    }

    @Test func `a film whose sound nobody can decode plays, and says so`() async throws {
        let film = try Data(contentsOf: URL(fileURLWithPath: Clips.streamed.path()))
        let server = try FaultServer(
            Self.replacing("esds", by: "zzzz", in: Self.replacing("mp4a", by: "zzza", in: film)))
        let rig = Rig()
        try await rig.load(server.url)
        try await rig.playing()
        let item = try #require(rig.player.state.item)
        #expect(item.notice?.code == .decoderNotFound)
        #expect(item.notice?.hint != nil)
        #expect(item.error == nil)
        #expect(rig.screen.shown.first?.number == 0)
    }

    private static func replacing(_ name: String, by other: String, in data: Data) -> Data {
        var data = data
        while let range = data.range(of: Data(name.utf8)) { data.replaceSubrange(range, with: Data(other.utf8)) }
        return data
    }
}
