import Casting
import Testing

@Suite struct LanguageTagTests {
    @Test(
        "What containers and people write becomes one tag",
        arguments: [
            ("eng", "en"), ("ger", "de"), ("deu", "de"), ("fre", "fr"), ("de", "de"), ("EN-us", "en-US"),
            ("pt_BR", "pt-BR"), ("zh-hant-tw", "zh-Hant-TW"), ("de_DE.UTF-8", "de-DE"), ("cze", "cs"), ("gsw", "gsw"),
            ("German", "de"), ("deutsch", "de"), ("iw", "he"), ("es-419", "es-419"), ("nob", "nb"),
        ])
    func canonical(text: String, tag: String) {
        #expect(LanguageTag(text)?.text == tag)
    }

    @Test("What names no language is none", arguments: ["", "und", "mul", "zxx", "mis", "-", "1", "Stereo", "🎬", "x"])
    func none(text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test("The nearest answer to a wish comes first")
    func distance() throws {
        func distance(_ tag: String, _ wanted: String) throws -> Int? {
            try #require(LanguageTag(tag)).distance(from: #require(LanguageTag(wanted)))
        }
        #expect(try distance("de-AT", "de-AT") == 0)
        #expect(try distance("en-US", "en") == 1)
        #expect(try distance("en", "en-GB") == 2)
        #expect(try distance("en-US", "en-GB") == 3)
        #expect(try distance("zh-Hans", "zh-Hant") == 4)
        #expect(try distance("de", "en") == nil)
        #expect(try distance("ger", "de") == 0)
    }

    @Test("A language has a name for people")
    func names() {
        #expect(LanguageTag("fra")?.name == "French")
        #expect(LanguageTag("pt-BR")?.name == "Portuguese (BR)")
        #expect(LanguageTag("tlh")?.name == "tlh")
    }
}
