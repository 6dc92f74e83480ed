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

    @Test("several files play one after the other, each served, and one that cannot be played is passed over")
    func several() async throws {
        let folder = user.folder.path + "/other"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let second = folder + "/My film & more #1.mkv"
        try Data("second".utf8).write(to: URL(fileURLWithPath: second))
        try Data("text".utf8).write(to: URL(fileURLWithPath: folder + "/My film & more #1.en.srt"))
        let play = try user.start([
            "play", file, second, "http://192.0.2.1/third.mp4", "--loop", "--at", "3", "--to", receiver.address,
        ])
        #expect(await eventually { receiver.player.queue.count == 3 })
        #expect(receiver.player.state.options?.loop == .all)
        let queue = receiver.player.queue
        #expect(queue.map(\.startPosition) == [3, nil, nil])
        #expect(queue.last?.url == "http://192.0.2.1/third.mp4")
        let client = HTTPClient()
        #expect(try await client.send("GET", queue[0].url).body == content)
        #expect(try await client.send("GET", queue[1].url).body == Data("second".utf8))
        let texts = try #require(queue[1].subtitles)
        #expect(texts.map(\.language) == ["en"])
        #expect(try await client.send("GET", texts[0].url).body == Data("text".utf8))
        #expect(await eventually { play.output.contains("and 2 others") })
        #expect(await eventually { receiver.player.state.item?.id == queue[0].id })
        receiver.player.tell(.ended(itemID: queue[0].id ?? ""))
        _ = try await receiver.player.perform(.next)
        // The second is broken: the third follows.
        receiver.player.tell(.failed(itemID: queue[1].id ?? "", error: CastError(.decodeFailed, "Broken film.")))
        _ = try await receiver.player.perform(.next)
        #expect(await eventually { play.output.contains("Could not be played: Broken film.") })
        receiver.finishItem()
        #expect(await play.status() == 0)
        #expect(play.output.contains("It has ended."))
    }

    @Test("files are served as long as they are in the queue, and leave it with castsend")
    func queued() async throws {
        let words = ["play", "http://192.0.2.1/film.mp4", "--detach", "--to", receiver.address]
        #expect(try await user.run(words).status == 0)
        let add = try user.start(["queue", "add", file, "http://192.0.2.1/b.mp4"])
        #expect(await eventually { receiver.player.queue.count == 3 })
        #expect(await eventually { add.output.contains("2 items added; the queue has 3.") })
        let url = receiver.player.queue[1].url
        #expect(try await HTTPClient().send("GET", url).body == content)
        #expect(await eventually { add.output.contains("playing") })
        add.signal(SIGINT)
        #expect(await add.status() == 0)
        #expect(receiver.player.queue.map(\.url) == ["http://192.0.2.1/film.mp4"])
        #expect(!receiver.got { $0 == .stop })
        #expect(add.output.contains("Taken out of the queue."))
        // Of addresses alone nothing has to be served.
        #expect(try await user.run(["queue", "add", "http://192.0.2.1/c.mp4"]).status == 0)
    }

    @Test("a file cannot be detached, headers are not for it, and one title or text not for several")
    func refused() async throws {
        for arguments in [
            ["play", file, "--detach"], ["play", file, "--header", "A: b"], ["queue", "add", file, "--header", "A: b"],
            ["play", file, "http://192.0.2.1/film.mp4", "--detach"], ["play", file, file, "--title", "Film"],
            ["play", file, file, "--subtitles", file],
        ] {
            let run = try await user.run(arguments + ["--to", receiver.address])
            #expect(run.status == 2, "\(arguments)")
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
