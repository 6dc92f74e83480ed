import Media
import Testing

@testable import Playback

@Suite("Cues by time") struct CueStoreTests {
    private func cue(_ start: Double, _ end: Double?, _ text: String) -> SubtitleCue {
        SubtitleCue(start: start, end: end, content: .text(text.isEmpty ? [] : ["0,0,Default,,0,0,0,,\(text)"]))
    }

    private func words(_ store: CueStore, _ time: Double) -> [String] {
        store.active(at: time).map { entry in
            if case .text(let lines) = entry.cue.content {
                String(lines.first?.split(separator: ",").last ?? "")
            } else {
                ""
            }
        }
    }

    @Test("cues that overlap are all up, in the order of the file, however they came")
    func overlap() {
        var store = CueStore(replaces: false)
        for cue in [cue(5, 6, "late"), cue(1, 10, "long"), cue(2, 3, "short"), cue(2, 4, "same start")] {
            store.insert(cue)
        }
        #expect(words(store, 0.9) == [])
        #expect(words(store, 1) == ["long"])
        #expect(words(store, 2.5) == ["long", "short", "same start"])
        #expect(words(store, 3) == ["long", "same start"])
        #expect(words(store, 5.5) == ["long", "late"])
        #expect(words(store, 10) == [])
        #expect(store.nextChange(after: 0) == 1)
        #expect(store.nextChange(after: 2) == 3)
        #expect(store.nextChange(after: 10) == nil)
    }

    @Test("what is read again after a seek back is kept once")
    func again() {
        var store = CueStore(replaces: false)
        let news = ["a", "b", "a"].map { text in store.insert(cue(1, 2, text)) }
        #expect(news == [true, true, false])
        #expect(store.count == 2)
    }

    @Test("where each takes down the one before, an empty one clears")
    func replacing() {
        var store = CueStore(replaces: true)
        for cue in [cue(1, nil, "a"), cue(2, nil, "b"), cue(4, nil, "")] { store.insert(cue) }
        #expect(words(store, 1.5) == ["a"])
        #expect(words(store, 3.9) == ["b"])
        #expect(words(store, 4) == [])
        #expect(store.nextChange(after: 2) == 4)
    }

    @Test("it holds no more than its limit")
    func limit() {
        var store = CueStore(replaces: true, limit: 10_000)
        for index in 0..<1000 { store.insert(cue(Double(index), nil, "words")) }
        #expect(store.byteCount <= 10_000)
        #expect(words(store, 999) == ["words"])
    }

    @Test("plain cues at one place become one block, the first on top; those elsewhere stay apart")
    func blocks() {
        let events = ["7,0,Default,,0,0,0,,one\\N", "3,0,Default,,0,0,0,,two, three", "9,0,Default,,0,0,0,,{\\an8}top"]
        #expect(
            PlainText.blocks(events, stacksUpwards: false) == [
                "0,0,Default,,0,0,0,,one\\N{\\r}two, three", "1,0,Default,,0,0,0,,{\\an8}top",
            ])
        #expect(
            PlainText.blocks(events, stacksUpwards: true)[0] == "0,0,Default,,0,0,0,,two, three\\N{\\r}one")
        #expect(PlainText.blocks([events[0]], stacksUpwards: false) == [events[0]])
    }
}
