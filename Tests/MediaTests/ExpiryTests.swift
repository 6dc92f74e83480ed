import Casting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Media

/// URLs that run out in the middle.
@Suite struct ExpiryTests {
    @Test("a fresh URL is asked for once, and playing goes on at the byte", arguments: [401, 403, 410])
    func renewed(_ status: Int) throws {
        let stage = try Stage(status)
        let asked = Mutex<[Int]>([])
        let supply = stage.supply { supply, status in
            asked.withLock { $0.append(status) }
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) {
                supply.renew(stage.server.url("/media?t=2"), headers: ["X-Key": "2"])
            }
        }
        let demuxer = try Demuxer(supply, cancellation: Cancellation())
        stage.expire()
        #expect(try Decoded(demuxer).numbers == Array(0..<200))
        #expect(asked.withLock { $0 } == [status])
        #expect(stage.server.requests.last?.path == "/media?t=2")
        #expect(stage.server.requests.last?.headers["x-key"] == "2")
        #expect(demuxer.traffic.faults.contains { $0.status == status })
    }

    @Test("where none comes, that is the error, after the time agreed on")
    func expired() throws {
        let stage = try Stage(403)
        let asked = Atomic(0)
        let supply = stage.supply(patience: 0.5) { _, _ in asked.add(1, ordering: .relaxed) }
        let demuxer = try Demuxer(supply, cancellation: Cancellation())
        stage.expire()
        let error = #expect(throws: CastError.self) { try Decoded(demuxer) }
        #expect(error?.code == .urlExpired)
        #expect(error?.details == ["status": "403"])
        #expect(asked.load(ordering: .relaxed) == 1)
    }

    @Test("a fresh URL that is no better is not asked again and again")
    func dead() throws {
        let stage = try Stage(403)
        let asked = Atomic(0)
        let supply = stage.supply { supply, _ in
            asked.add(1, ordering: .relaxed)
            supply.renew(stage.server.url("/media?t=3"))
        }
        let demuxer = try Demuxer(supply, cancellation: Cancellation())
        stage.expire()
        let error = #expect(throws: CastError.self) { try Decoded(demuxer) }
        #expect(error?.code == .urlExpired)
        #expect(asked.load(ordering: .relaxed) == 1)
        #expect(stage.server.requests.count { $0.path == "/media?t=3" } == 1)
    }

    @Test("at the start it is the sender's mistake")
    func atStart() throws {
        let stage = try Stage(403)
        stage.server.setValid(queries: [])
        let supply = stage.supply { _, _ in Issue.record("nobody has a better one") }
        let error = #expect(throws: CastError.self) { try Demuxer(supply, cancellation: Cancellation()) }
        #expect(error?.code == .contentIsNotAuthorized)
    }

    @Test("a fresh URL of a playlist is good for its segments")
    func playlist() throws {
        let folder = try TemporaryFolder()
        var clip = Kind.all[0].clip
        clip.duration = 4
        let list = ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0", folder.path + "/film.m3u8"]
        try run("ffmpeg", ["-v", "error", "-i", clip.path(), "-c", "copy"] + list)
        let server = try FaultServer()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let content = try #require(FileManager.default.contents(atPath: folder.path + "/" + name))
            for place in ["/old/", "/new/"] { server.serve(place + name, content) }
        }
        let supply = MediaSupply(MediaLocation(url: server.url("/old/film.m3u8")))
        let demuxer = try Demuxer(supply, cancellation: Cancellation())
        for number in 0..<4 { server.setFault(.status(403, times: 100), at: "/old/film\(number).ts") }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { supply.renew(server.url("/new/film.m3u8")) }
        #expect(try Decoded(demuxer).numbers == Array(0..<100))
    }

    @Test("the session's id goes to the item's own origin only")
    func sessionID() throws {
        let home = try FaultServer(file: Kind.all[0].clip.path())
        let start = try FaultServer()
        start.serve("/start", Data(), .redirect(to: home.url))
        let supply = MediaSupply(MediaLocation(url: start.url("/start")), playbackSessionID: "ABC")
        _ = try Demuxer(supply, cancellation: Cancellation())
        #expect(start.requests.allSatisfy { $0.headers["x-playback-session-id"] == "ABC" })
        #expect(home.requests.allSatisfy { $0.headers["x-playback-session-id"] == nil })
        #expect(supply.traffic.figures.requestCount == start.requests.count)
        #expect(supply.traffic.figures.serverAddress == "127.0.0.1")
        #expect(supply.traffic.figures.url == home.url)
    }

    /// A film of 8 s behind a token, too slow to be there before the token runs out.
    private struct Stage {
        let server: FaultServer

        init(_ status: Int) throws {
            var clip = Kind.all[0].clip
            clip.more = ["-movflags", "+faststart"]
            clip.duration = 8
            let content = try Data(contentsOf: URL(fileURLWithPath: clip.path()))
            server = try FaultServer(
                content, .tokenRequired(orStatus: status, bytesPerSecond: content.count / 3))
            server.setValid(queries: ["t=1"])
        }

        /// Lets the token run out, and breaks the connection.
        func expire() {
            server.setValid(queries: ["t=2"])
            server.goAway()
            server.comeBack()
        }

        func supply(
            patience: Double = 15, onExpired: @escaping @Sendable (MediaSupply, Int) -> Void
        ) -> MediaSupply {
            let supply = MediaSupply(MediaLocation(url: server.url("/media?t=1")), patience: patience)
            supply.onExpiry { [weak supply] status in
                if let supply { onExpired(supply, status) }
            }
            return supply
        }
    }
}
