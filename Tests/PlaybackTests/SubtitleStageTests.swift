import Casting
import Media
import Synchronization
import TestSupport
import Testing

@testable import Playback

@Suite("Text of an item") struct SubtitleStageTests {
    private func file(_ text: String) throws -> SubtitleFile { try SubtitleFile(Array(text.utf8), path: "film.srt") }

    private let words = """
        1
        00:00:01,000 --> 00:00:03,000
        one

        2
        00:00:02,000 --> 00:00:04,000
        two
        """

    private func lines(_ scene: SubtitleScene?) -> [String] {
        if case .text(let lines)? = scene?.content { lines } else { [] }
    }

    @Test("what is chosen is up at its time, later or sooner by the delay")
    func delay() throws {
        let changes = Mutex(0)
        let stage = SubtitleStage(settings: SubtitleSettings()) { changes.withLock { $0 += 1 } }
        #expect(stage.scene(at: 1.5) == nil)
        stage.select(.external(0))
        #expect(stage.scene(at: 1.5) == nil, "it is not loaded yet")
        stage.open(file: 0, try file(words))
        #expect(changes.withLock { $0 } == 2)
        #expect(lines(stage.scene(at: 1.5)).map { $0.hasSuffix("one") } == [true])
        #expect(lines(stage.scene(at: 2.5)) == ["0,0,Default,,0,0,0,,one\\N{\\r}two"])
        #expect(stage.scene(at: 4.5)?.isEmpty == true)
        stage.settings.delay = 2
        #expect(lines(stage.scene(at: 3.5)).map { $0.hasSuffix("one") } == [true])
        #expect(stage.nextChange(after: 0) == 3)
        stage.select(nil)
        #expect(stage.scene(at: 3.5) == nil)
    }

    @Test("the same cue of two items is two things, so that nothing drawn for one is shown for the other")
    func identity() throws {
        let scenes = try (0..<2).compactMap { _ in
            let stage = SubtitleStage(settings: SubtitleSettings()) {}
            stage.open(file: 0, try file(words))
            stage.select(.external(0))
            return stage.scene(at: 1.5)
        }
        #expect(scenes.count == 2 && scenes[0].key != scenes[1].key)
    }

    @Test("a file that cannot be had is told of, and the film plays on")
    func missing() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig(readsNumbers: false)
        var item = MediaItem(url: server.url, paused: true)
        item.subtitles = [ExternalSubtitles(url: server.url + ".srt", language: "en")]
        _ = try await rig.player.perform(.load(item))
        let isTold = await eventually(within: 10) {
            rig.events.contains { if case .notice = $0 { true } else { false } }
        }
        #expect(isTold)
        let state = rig.player.state
        #expect(state.item?.status == .readyToPlay)
        let texts = state.item?.mediaSelectionGroups?.first { $0.characteristic == .legible }
        #expect(texts?.options.map(\.playable) == [false])
        #expect(texts?.selected == nil)
    }
}
