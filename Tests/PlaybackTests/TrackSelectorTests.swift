import Casting
import Media
import Testing

@testable import Playback

/// A stream in the table of cases, as short as can be: `a0 eng original`, `s3 fre forced`, `x1 de` (beside the media).
private func options(_ lines: [String]) -> [TrackOption] {
    lines.enumerated().map { index, line in
        let words = line.split(separator: " ").map(String.init)
        let id = words[0]
        let kind: MediaTrack.Kind = id.hasPrefix("a") ? .audible : id.hasPrefix("v") ? .visual : .legible
        var description = TrackOption.Description(kind: kind)
        for word in words.dropFirst() {
            switch word {
            case "default": description.roles.insert(.default)
            case "original": description.roles.insert(.original)
            case "commentary": description.roles.insert(.commentary)
            case "forced": description.roles.insert(.forced)
            case "sdh": description.roles.insert(.hearingImpaired)
            case "ad": description.roles.insert(.visualImpaired)
            case "broken": description.isPlayable = false
            default: description.language = word
            }
        }
        return TrackOption(
            id: id, source: id.hasPrefix("x") ? .external(index) : .stream(index), number: index + 1, description)
    }
}

private func preferences(
    _ languages: String, _ captions: CaptionsPreference = .auto, sdh: Bool = false, ad: Bool = false
) -> TrackPreferences {
    var preferences = TrackPreferences()
    preferences.languages = languages.split(separator: " ").compactMap { LanguageTag(String($0)) }
    preferences.captions = captions
    preferences.sdh = sdh
    preferences.audioDescription = ad
    return preferences
}

@Suite struct TrackSelectorTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var options: [String]
        var preferences: TrackPreferences
        var audible: String?
        var legible: String?

        init(
            _ name: String, _ options: [String], _ preferences: TrackPreferences, audible: String? = nil,
            legible: String? = nil
        ) {
            (testDescription, self.options, self.preferences) = (name, options, preferences)
            (self.audible, self.legible) = (audible, legible)
        }
    }

    static let bilingual = ["a0 eng default", "a1 fre", "s2 eng", "s3 fre", "s4 eng forced", "s5 fre forced"]

    static let cases = [
        Case("the default where nothing is preferred", ["a0 eng", "a1 fre default"], preferences(""), audible: "a1"),
        Case("the first where nothing is marked", ["a0 eng", "a1 fre"], preferences(""), audible: "a0"),
        Case("the original before the default", ["a0 eng default", "a1 jpn original"], preferences(""), audible: "a1"),
        Case(
            "a preferred language before the original", ["a0 jpn original", "a1 ger"], preferences("de"), audible: "a1"),
        Case("the first preferred language there is", ["a0 eng", "a1 fre"], preferences("ja fr en"), audible: "a1"),
        Case("the region asked for", ["a0 pt-PT", "a1 pt-BR"], preferences("pt-BR"), audible: "a1"),
        Case("the language where the region is not there", ["a0 en-US", "a1 en"], preferences("en-GB"), audible: "a1"),
        Case("any region before another language", ["a0 fre", "a1 en-US"], preferences("en-GB fr"), audible: "a1"),
        Case("the default of several in one language", ["a0 eng", "a1 eng default"], preferences("en"), audible: "a1"),
        Case("no commentary", ["a0 eng commentary default", "a1 fre"], preferences("en"), audible: "a1"),
        Case("a commentary where there is nothing else", ["a0 eng commentary"], preferences("de"), audible: "a0"),
        Case("no description unasked", ["a0 eng ad default", "a1 eng"], preferences("en"), audible: "a1"),
        Case("a description where wanted", ["a0 eng", "a1 eng ad"], preferences("en", ad: true), audible: "a1"),
        Case(
            "a description of the sound's language", ["a0 eng default", "a1 fre ad", "a2 eng ad"],
            preferences("", ad: true), audible: "a2"),
        Case(
            "no description in a foreign language", ["a0 eng", "a1 fre ad"], preferences("en", ad: true), audible: "a0"),
        Case("what can be played", ["a0 eng default broken", "a1 fre"], preferences("en"), audible: "a1"),
        Case("nothing of nothing", [], preferences("en", .always)),

        Case("forced ones of the sound", bilingual, preferences("fr"), audible: "a1", legible: "s5"),
        Case("forced ones though captions are off", bilingual, preferences("fr", .off), audible: "a1", legible: "s5"),
        Case("none where none are forced", ["a0 eng", "s1 eng"], preferences("en"), audible: "a0"),
        Case("no foreign forced ones", ["a0 eng", "s1 fre forced"], preferences("en"), audible: "a0"),
        Case(
            "foreign forced ones where asked for", ["a0 jpn", "s1 eng forced"], preferences("en", .forced),
            audible: "a0", legible: "s1"),
        Case(
            "whole ones for a foreign sound", ["a0 jpn", "s1 eng forced", "s2 eng"], preferences("en"), audible: "a0",
            legible: "s2"),
        Case("none for a sound of unknown language", ["a0", "s1 eng"], preferences("en"), audible: "a0"),
        Case("none for a foreign sound nobody minds", ["a0 jpn", "s1 eng"], preferences(""), audible: "a0"),
        Case("always", bilingual, preferences("en", .always), audible: "a0", legible: "s2"),
        Case(
            "always, in the sound's language if need be", ["a0 jpn", "s1 eng", "s2 jpn"], preferences("de", .always),
            audible: "a0", legible: "s2"),
        Case(
            "always, the first at worst", ["a0 jpn", "s1 eng"], preferences("de", .always), audible: "a0", legible: "s1"
        ),
        Case(
            "those for the hard of hearing where wanted", ["a0 eng", "s1 eng", "s2 eng sdh"],
            preferences("en", .always, sdh: true), audible: "a0", legible: "s2"),
        Case(
            "plain ones where not", ["a0 eng", "s1 eng sdh", "s2 eng"], preferences("en", .always), audible: "a0",
            legible: "s2"),
        Case(
            "those for the hard of hearing before none", ["a0 jpn", "s1 eng sdh"], preferences("en"), audible: "a0",
            legible: "s1"),
        Case("no commentary's", ["a0 eng", "s1 eng commentary"], preferences("en", .always), audible: "a0"),
        Case("the sender's", ["a0 eng", "s1 eng", "x2 en"], preferences("en"), audible: "a0", legible: "x2"),
        Case("the sender's without a language", ["a0 eng", "x1"], preferences("de"), audible: "a0", legible: "x1"),
        Case("the sender's in no foreign language", ["a0 eng", "x1 fr"], preferences("en"), audible: "a0"),
        Case("not the sender's with captions off", ["a0 eng", "x1 en"], preferences("en", .off), audible: "a0"),
        Case("subtitles alone", ["s0 eng"], preferences("en", .always), legible: "s0"),
    ]

    @Test("Without a choice by hand the right one is played", arguments: cases)
    func automatic(_ example: Case) {
        let selector = TrackSelector(options(example.options), preferences: example.preferences)
        #expect(selector.selected(.audible)?.option.id == example.audible)
        #expect(selector.selected(.legible)?.option.id == example.legible)
    }

    @Test("Subtitles follow the sound that was chosen by hand")
    func tied() throws {
        var selector = TrackSelector(options(Self.bilingual), preferences: preferences("fr"))
        try selector.select(.option("a0"), in: .audible)
        #expect(selector.selected(.audible)?.option.id == "a0")
        // English is in no preferred language.
        #expect(selector.selected(.legible)?.option.id == "s3")
        try selector.select(.automatic, in: .audible)
        #expect(selector.selected(.legible)?.option.id == "s5")
    }

    @Test("A choice by hand holds until the automatic one is asked for")
    func sticks() throws {
        var selector = TrackSelector(options(Self.bilingual), preferences: preferences("fr"))
        try selector.select(.option("s2"), in: .legible)
        try selector.select(.option("a0"), in: .audible)
        #expect(selector.selected(.legible)?.option.id == "s2")
        #expect(selector.groups.map(\.automatic) == [false, false])
        try selector.select(.automatic, in: .legible)
        #expect(selector.selected(.legible)?.option.id == "s3")
    }

    @Test("None leaves the forced ones, and none whatever does not")
    func off() throws {
        var selector = TrackSelector(options(Self.bilingual), preferences: preferences("en", .always))
        try selector.select(.off, in: .legible)
        #expect(selector.selected(.legible)?.option.id == "s4")
        try selector.select(.nothing, in: .legible)
        #expect(selector.selected(.legible) == nil)
    }

    @Test("What cannot be chosen changes nothing")
    func refused() throws {
        var selector = TrackSelector(options(["a0 eng", "a1 fre broken", "s2 eng"]))
        func code(_ selection: TrackSelection, _ kind: MediaTrack.Kind) -> CastError.Code? {
            let before = selector
            let error = #expect(throws: CastError.self) { try selector.select(selection, in: kind) }
            #expect(selector == before)
            return error?.code
        }
        #expect(code(.option("s2"), .audible) == .invalidRequest)
        #expect(code(.option("7"), .legible) == .invalidRequest)
        #expect(code(.option("a1"), .audible) == .operationNotSupported)
        #expect(code(.off, .audible) == .operationNotSupported)
    }

    @Test("An option that fails gives way to the automatic choice")
    func excluded() throws {
        var selector = TrackSelector(options(["a0 eng", "a1 fre"]))
        try selector.select(.option("a1"), in: .audible)
        selector.exclude("a1")
        #expect(selector.selected(.audible)?.option.id == "a0")
        #expect(selector.groups.first?.options.map(\.playable) == [true, false])
    }

    @Test("The keys go through the sounds, and through the texts and none")
    func cycles() throws {
        var selector = TrackSelector(options(["a0 eng", "a1 fre", "a2 ger broken", "s3 eng", "s4 eng forced"]))
        var heard: [String?] = []
        for _ in 0..<3 {
            try selector.select(selector.next(of: .audible), in: .audible)
            heard.append(selector.selected(.audible)?.option.id)
        }
        #expect(heard == ["a1", "a0", "a1"])
        var seen: [TrackSelection] = []
        try selector.select(.option("a0"), in: .audible)
        for _ in 0..<4 {
            seen.append(selector.next(of: .legible))
            try selector.select(selector.next(of: .legible), in: .legible)
        }
        #expect(seen == [.option("s3"), .option("s4"), .off, .option("s3")])
    }

    @Test("Pictures are a group only where there are several, and options found later join theirs")
    func groups() {
        var selector = TrackSelector(options(["v0", "a1 eng"]))
        #expect(selector.groups.map(\.characteristic) == [.audible])
        selector.add(options(["v0", "s1 eng"]))
        #expect(selector.groups.map(\.characteristic) == [.audible, .legible])
        #expect(TrackSelector(options(["v0", "v1 default"])).groups.map(\.selected) == ["v1"])
    }

    @Test("An item's own languages beat the general ones")
    func itemLanguages() {
        var item = MediaItem(url: "http://example.org/")
        #expect(preferences("en de").beaten(by: item).languages.map(\.text) == ["en", "de"])
        item.preferredLanguages = ["fre", "xx-", "und"]
        #expect(preferences("en de").beaten(by: item).languages.map(\.text) == ["fr", "xx"])
    }
}

@Suite struct TrackOptionTests {
    private func option(_ description: TrackOption.Description) -> MediaSelectionOption {
        TrackOption(id: "1", source: .stream(1), number: 2, description).option
    }

    @Test("A name tells what flags do not")
    func hints() {
        func characteristics(_ title: String, _ kind: MediaTrack.Kind = .legible) -> Set<MediaCharacteristic> {
            Set(option(.init(kind: kind, title: title)).characteristics)
        }
        #expect(characteristics("Director's Commentary", .audible) == [.auxiliaryContent])
        #expect(characteristics("English [SDH]").isSuperset(of: [.transcribesSpokenDialog, .describesMusicAndSound]))
        #expect(characteristics("Forced").contains(.forcedSubtitlesOnly))
        #expect(characteristics("Audio Description", .audible).contains(.describesVideo))
        #expect(characteristics("Leichte Sprache").contains(.easyToRead))
        #expect(characteristics("Reinforced concrete") == [.mainProgramContent])
        #expect(option(.init(kind: .audible, title: "Deutsch (Stereo)")).language == "de")
    }

    @Test("Every option has a name for people")
    func names() {
        #expect(option(.init(kind: .audible)).name == "Sound 2")
        #expect(option(.init(kind: .audible, language: "ger", channelCount: 6)).name == "German, 5.1")
        #expect(option(.init(kind: .legible, language: "eng", roles: .forced)).name == "English, forced")
        #expect(option(.init(kind: .legible, language: "eng", title: "Signs & Songs")).name == "Signs & Songs")
    }
}

@Suite struct TrackChoiceTests {
    private func choice(_ lines: String...) throws(CastError) -> TrackChoice {
        try TrackChoice(TrackSelector(options(lines)))
    }

    @Test("The best picture and the best sound are played")
    func choice() throws {
        #expect(try choice("v0", "v1 default", "a2", "a3 default").streams == [1, 3])
        #expect(try choice("v0", "a1 broken").streams == [0])
        #expect(try choice("a0", "s1").streams == [0])
    }

    @Test("What cannot be decoded is an error that says so")
    func errors() {
        func code(_ lines: String...) -> CastError.Code? {
            #expect(throws: CastError.self) { try TrackChoice(TrackSelector(options(lines))) }?.code
        }
        #expect(code("v0 broken", "a1") == .decoderNotFound)
        #expect(code("a1 broken") == .decoderNotFound)
        #expect(code("s1") == .fileFailedToParse)
        #expect(code() == .fileFailedToParse)
    }

    @Test("Every sound of one file is read, and of several files only the one that is heard")
    func streams() throws {
        let selector = TrackSelector(options(["v0", "a1", "a2 broken", "a3", "s4"]))
        let choice = try TrackChoice(selector)
        #expect(choice.streams(of: selector, readsAll: true) == [0, 1, 3])
        #expect(choice.streams(of: selector, readsAll: false) == [0, 1])
    }
}
