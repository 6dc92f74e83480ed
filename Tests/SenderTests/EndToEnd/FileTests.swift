import Casting
import Foundation
import HTTP
import TestSupport
import Testing

@testable import Sender

/// Files of the sender's machine.
@Suite struct FileTests {
    let receiver: TestReceiver
    let user: TestUser
    let file: String
    let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    init() throws {
        receiver = try TestReceiver()
        user = try TestUser()
        file = user.folder.path + "/My film & more #1.mkv"
        try content.write(to: URL(fileURLWithPath: file))
    }

    @Test("a file is served while it plays, whole and in parts, and nothing beside it")
    func served() async throws {
        let play = try user.start(["play", file, "--to", receiver.address])
        #expect(await eventually { play.output.contains("playing  0:0") })
        let item = try #require(receiver.loads.first)
        #expect(item.title == "My film & more #1")
        #expect(item.contentType == "video/x-matroska")
        let client = HTTPClient()
        let whole = try await client.send("GET", item.url)
        #expect(whole.status == 200)
        #expect(whole.body == content)
        #expect(whole.headers["Content-Type"] == "video/x-matroska")
        let part = try await client.send("GET", item.url, headers: ["Range": "bytes=1000-1999"])
        #expect(part.status == 206)
        #expect(part.body == content[1000..<2000])
        #expect(try await client.send("HEAD", item.url).headers["Content-Length"] == "100000")

        let parts = item.url.split(separator: "/")
        let origin = "http://" + parts[1]
        for path in [
            "/", "/" + parts[3], "/x/" + parts[3], "/\(parts[2])/", "/\(parts[2])/other",
            item.url.dropFirst(origin.count) + "/x",
        ] {
            #expect(try await client.send("GET", origin + path).status == 404, "\(path)")
        }
        #expect(try await client.send("POST", item.url).status == 405)
        #expect(parts[2].count >= 20)

        receiver.finishItem()
        #expect(await play.status() == 0)
        await #expect(throws: HTTPError.self) { try await client.send("GET", item.url) }
    }

    @Test("a signal stops what cannot go on without being served")
    func signal() async throws {
        let play = try user.start(["play", file, "--to", receiver.address])
        #expect(await eventually { play.output.contains("playing  0:0") })
        play.signal(SIGINT)
        #expect(await play.status() == 0)
        #expect(receiver.got { $0 == .stop })
        #expect(play.output.contains("Stopped. It was at 0:0"))
    }

    @Test("a file cannot be detached or queued, and headers are not for it")
    func refused() async throws {
        for arguments in [
            ["play", file, "--detach"], ["queue", "add", file], ["play", file, "--header", "A: b"],
        ] {
            let run = try await user.run(arguments + ["--to", receiver.address])
            #expect(run.status == 2, "\(arguments)")
            #expect(run.errors.contains("file"), "\(arguments)")
        }
        #expect(receiver.player.commands.isEmpty)
    }

    @Test("a file that is not there, or is a folder, is refused before anything is sent")
    func missing() async throws {
        for path in [user.folder.path + "/none.mp4", user.folder.path] {
            let run = try await user.run(["play", path, "--to", receiver.address])
            #expect(run.status == 5)
            #expect(run.errors.contains(path))
        }
        #expect(receiver.player.commands.isEmpty)
    }
}
