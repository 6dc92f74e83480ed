import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

/// Still pictures, songs with covers, and chapters.
@Suite(.timeLimit(.minutes(2))) struct PictureItemTests {
    /// A picture of 640 by 360 as a file of a kind.
    private func picture(_ name: String, _ options: [String] = [], in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/" + name
        try run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=5"] + options + [path])
        return path
    }

    @Test("A picture is shown for as long as it is to be", arguments: ["a.jpg", "a.png", "a.webp"])
    func still(name: String) async throws {
        let folder = try TemporaryFolder()
        let server = try ClipServer(path: try picture(name, ["-frames:v", "1"], in: folder))
        let rig = Rig(readsNumbers: false)
        var item = MediaItem(url: server.url, paused: true)
        item.pictureDuration = 0.6
        _ = try await rig.player.perform(.load(item))
        let state = rig.player.state
        #expect(state.item?.duration == 0.6)
        #expect(state.item?.isLive == false)
        #expect(state.item?.presentationSize == Size(width: 640, height: 360))
        #expect(state.readyForDisplay)
        let start = HostTime.now
        _ = try await rig.player.perform(.play)
        try await rig.idle()
        #expect(HostTime.now.seconds(since: start) > 0.5)
        #expect(await eventually { rig.ended.count == 1 })
        #expect(rig.screen.shown.count == 1)
    }

    @Test("A picture without a time stays, and gives way to the next item")
    func endless() async throws {
        let folder = try TemporaryFolder()
        let first = try ClipServer(path: try picture("a.png", ["-frames:v", "1"], in: folder))
        let second = try ClipServer(path: try picture("b.jpg", ["-frames:v", "1"], in: folder))
        let rig = Rig(readsNumbers: false)
        try await rig.load(first.url)
        var next = MediaItem(url: second.url)
        next.pictureDuration = 0.2
        _ = try await rig.player.perform(.enqueue([next], before: nil))
        try #require(await eventually { rig.player.state.timeline.position > 0.5 })
        #expect(rig.player.state.item?.duration == nil)
        #expect(rig.player.state.timeControlStatus == .playing)
        #expect(rig.ended.isEmpty)
        _ = try await rig.player.perform(.next)
        try await rig.idle()
        #expect(await eventually { rig.screen.shown.count == 2 })
    }

    @Test("A moving GIF plays its course, its last picture for its whole time")
    func gif() async throws {
        let folder = try TemporaryFolder()
        let server = try ClipServer(path: try picture("a.gif", ["-t", "1"], in: folder))
        let rig = Rig(readsNumbers: false)
        try await rig.load(server.url, paused: true)
        let start = HostTime.now
        _ = try await rig.player.perform(.play)
        try await rig.idle()
        let passed = HostTime.now.seconds(since: start)
        #expect(rig.screen.shown.count == 5)
        #expect(passed > 0.9, "\(passed)")
    }

    @Test("Tags and cover of a song are in the state, and the cover is no film")
    func song() async throws {
        let media = try #require(sharedMedia, "the shared media are not there")
        let server = try ClipServer(path: media + "/mp3/bear-id3.mp3")
        let rig = Rig(readsNumbers: false)
        try await rig.load(server.url, paused: true)
        let item = try #require(rig.player.state.item)
        #expect(item.title == "Test title")
        #expect(item.artist == "Test Artist")
        #expect(item.album == "Test Album")
        #expect(item.artworkType == "image/jpeg")
        #expect(item.tracks.map(\.kind) == [.audible])
        #expect(item.presentationSize == nil)
        #expect(rig.player.artwork?.bytes.count ?? 0 > 1000)
        #expect(item.chapters?.map(\.title) == ["Chapter title", "chap2"])
        let outcome = try await rig.seek(1.5)
        #expect(outcome.finished)
        #expect(abs(rig.player.state.timeline.position - 1.5) < 0.1)
        #expect(rig.screen.shown.isEmpty)
    }

    @Test("The sender's artwork comes before the media's own")
    func senderArtwork() async throws {
        let folder = try TemporaryFolder()
        let cover = try ClipServer(path: try picture("cover.png", ["-frames:v", "1"], in: folder))
        let server = try ClipServer(path: try Clips.song().path())
        let rig = Rig()
        var item = MediaItem(url: server.url, paused: true)
        item.artworkURL = cover.url
        _ = try await rig.player.perform(.load(item))
        try #require(await eventually { rig.player.state.item?.artworkType == "image/png" })
        #expect(rig.player.artwork?.mediaType == "image/png")
        // What is no picture is none, and the song plays all the same.
        item.artworkURL = server.url
        _ = try await rig.player.perform(.load(item))
        #expect(rig.player.state.item?.artworkType == nil)
    }

    @Test("One can go from chapter to chapter")
    func chapters() async throws {
        let folder = try TemporaryFolder()
        let notes = folder.path + "/chapters.txt"
        let text =
            ";FFMETADATA1\n"
            + [(0, 4000, "One"), (4000, 8000, "Two"), (8000, 99_000, "Three")].map {
                "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0.0)\nEND=\($0.1)\ntitle=\($0.2)\n"
            }.joined()
        try text.write(toFile: notes, atomically: true, encoding: .utf8)
        let film = folder.path + "/film.mkv"
        let clip = try Clips.film(seconds: 12).path()
        try run(
            "ffmpeg", ["-v", "error", "-i", clip, "-i", notes, "-map", "0", "-map_metadata", "1", "-c", "copy", film])
        let server = try ClipServer(path: film)
        let rig = Rig()
        try await rig.load(server.url, paused: true)
        let chapters = try #require(rig.player.state.item?.chapters)
        #expect(chapters.map(\.title) == ["One", "Two", "Three"])
        #expect(chapters.last.map { $0.end < 12.5 } == true)
        func position(after command: Command) async throws -> Double {
            guard case .seek(let outcome) = try await rig.player.perform(command) else { return -1 }
            return outcome.position
        }
        #expect(abs(try await position(after: .nextChapter) - 4) < 0.05)
        #expect(abs(try await position(after: .nextChapter) - 8) < 0.05)
        let last = await #expect(throws: CastError.self) { _ = try await rig.player.perform(.nextChapter) }
        #expect(last?.code == .operationNotSupported)
        #expect(abs(try await position(after: .previousChapter) - 4) < 0.05)
    }

    @Test("The way back leads to the chapter's start, or to the one before where it has only just begun")
    func rules() throws {
        let rules = ChapterRules(chapters: [Chapter(start: 0, end: 10), Chapter(start: 10, end: 20)])
        #expect(try rules.next(after: 4) == 10)
        #expect(try rules.previous(before: 15) == 10)
        #expect(try rules.previous(before: 12) == 0)
        #expect(try rules.previous(before: 1) == 0)
        #expect(throws: CastError.self) { try rules.next(after: 10) }
        #expect(throws: CastError.self) { try ChapterRules(chapters: []).previous(before: 10) }
    }
}
