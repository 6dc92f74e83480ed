import Testing

@testable import Sender

@Suite("Subtitles beside a film") struct SubtitleFinderTests {
    @Test("they are known by the film's name, and their own says the language")
    func choose() {
        let names = [
            "film.mkv", "film.srt", "film.en.srt", "film.pt-BR.forced.ass", "film2.srt", "film.txt", "other.srt",
            "film.sdh.vtt", "filmed.srt",
        ]
        #expect(
            SubtitleFinder.choose(among: names, for: "film.mkv") == [
                .init(path: "film.sdh.vtt", name: "sdh"), .init(path: "film.srt"),
                .init(path: "film.en.srt", language: "en"),
                .init(path: "film.pt-BR.forced.ass", language: "pt-BR", name: "forced"),
            ])
    }

    @Test("a film with a plain name or none has none")
    func none() {
        #expect(SubtitleFinder.choose(among: ["a.srt"], for: ".hidden").isEmpty)
        #expect(SubtitleFinder.choose(among: [], for: "film.mkv").isEmpty)
        #expect(SubtitleFinder.choose(among: (0..<100).map { "film.\($0).srt" }, for: "film.mkv").count == 32)
    }
}
