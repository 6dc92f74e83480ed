import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite("Files of subtitles") struct SubtitleFileTests {
    static let two = "1\n00:00:01,000 --> 00:00:02,500\nGrüße\n\n2\n00:00:02,000 --> 00:00:04,000\n<i>Zwei</i>\n"

    @Test(
        "whatever a text is written in, it is read",
        arguments: [
            ("UTF-8", []), ("UTF-8", [0xEF, 0xBB, 0xBF]), ("UTF-16LE", [0xFF, 0xFE]), ("UTF-16BE", [0xFE, 0xFF]),
            ("UTF-16LE", []), ("UTF-16BE", []), ("UTF-32LE", [0xFF, 0xFE, 0, 0]), ("ISO-8859-1", []),
        ] as [(String, [UInt8])])
    func encodings(_ name: String, _ mark: [UInt8]) throws {
        let encodings: [String: String.Encoding] = [
            "UTF-8": .utf8, "UTF-16LE": .utf16LittleEndian, "UTF-16BE": .utf16BigEndian,
            "UTF-32LE": .utf32LittleEndian, "ISO-8859-1": .isoLatin1,
        ]
        let encoding = try #require(encodings[name])
        let bytes = mark + [UInt8](try #require(Self.two.data(using: encoding)))
        #expect(String(decoding: TextEncoding.utf8(bytes), as: UTF8.self) == Self.two)
    }

    @Test("Russian in Windows-1251 is known by its letters; what nobody knows is Latin-1")
    func guesses() throws {
        let russian = String(repeating: "Широкая электрификация южных губерний даст мощный толчок. ", count: 4)
        let bytes = [UInt8](try #require(russian.data(using: .windowsCP1251)))
        #expect(String(decoding: TextEncoding.utf8(bytes), as: UTF8.self) == russian)
        #expect(String(decoding: TextEncoding.utf8([0x41, 0xE9]), as: UTF8.self).hasPrefix("A"))
        // Bytes that are nothing become something valid all the same.
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let noise = (0..<Int.random(in: 0...300)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(String(validating: TextEncoding.utf8(noise), as: UTF8.self) != nil)
        }
    }

    @Test("SRT: times and texts, with and without numbers")
    func srt() throws {
        for text in [
            Self.two,
            Self.two.replacingOccurrences(of: "1\n00", with: "00").replacingOccurrences(of: "\n2\n", with: "\n"),
        ] {
            let file = try SubtitleFile(Array(text.utf8), path: "http://x/film.srt")
            #expect(file.cues.map(\.start) == [1, 2])
            #expect(file.cues.map(\.end) == [2.5, 4])
            #expect(file.cues.flatMap(\.lines).map(\.words) == ["Grüße", #"{\i1}Zwei{\i0}"#])
            #expect(!file.script.isStyled && !file.script.stacksUpwards)
        }
    }

    @Test(
        "A page, an empty file and a film are no subtitles",
        arguments: [
            "<html><body>404 --- not found</body></html>", "", "\0\0\0\u{18}ftypmp42",
        ])
    func others(_ text: String) {
        let error = #expect(throws: CastError.self) { try SubtitleFile(Array(text.utf8), path: "http://x/film.srt") }
        #expect([.fileFormatNotRecognized, .fileFailedToParse].contains(error?.code))
    }

    @Test("WebVTT's settings say where a cue stands")
    func settings() {
        let event = "0,0,Default,,0,0,0,,Hello, you"
        func applied(_ settings: String) -> String { WebVTTSettings(settings).apply(to: event) }
        #expect(applied("") == #"0,0,Default,,0,0,0,,{\an2}Hello, you"#)
        #expect(applied("line:0") == #"0,0,Default,,0,0,1,,{\an8}Hello, you"#)
        #expect(applied("line:-1 align:start") == #"0,0,Default,,0,0,0,,{\an1}Hello, you"#)
        #expect(applied("line:2") == #"0,0,Default,,0,0,36,,{\an8}Hello, you"#)
        #expect(applied("line:25%") == #"0,0,Default,,0,0,72,,{\an8}Hello, you"#)
        #expect(applied("line:75%,end") == #"0,0,Default,,0,0,72,,{\an2}Hello, you"#)
        #expect(applied("position:50%,line-left align:left") == #"0,0,Default,,192,2,0,,{\an1}Hello, you"#)
        #expect(applied("position:25%,center size:50%") == #"0,0,Default,,2,192,0,,{\an2}Hello, you"#)
        #expect(applied("line:x position:200% size:%,, :") == #"0,0,Default,,0,0,0,,{\an2}Hello, you"#)
    }

    @Test(
        "the files of others are read", .enabled(if: sharedMedia != nil),
        arguments: [
            ("subrip/typical", 3), ("subrip/typical_bad_timestamps", 1), ("subrip/typical_missing_sequence", 3),
            ("subrip/typical_utf16le", 3), ("subrip/typical_with_byte_order_mark", 3), ("subrip/typical_with_tags", 5),
            ("webvtt/typical", 2), ("webvtt/with_bad_cue_header", 2), ("webvtt/with_bom", 2),
            ("webvtt/with_css_styles", 4), ("webvtt/with_overlapping_timestamps", 4), ("webvtt/with_positioning", 8),
            ("ssa/typical", 3), ("ssa/positioning", 1), ("ssa/overlapping_timecodes", 3),
            ("ssa/style_primary_color", 1),
        ])
    func others(_ path: String, count: Int) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: try #require(sharedMedia) + "/" + path))
        let file = try SubtitleFile([UInt8](data), path: "http://x/" + path)
        #expect(file.cues.count >= count, "\(file.cues.count) cues")
        #expect(file.script.isStyled == path.hasPrefix("ssa"))
        // No tag of WebVTT's reaches the screen.
        #expect(!file.cues.flatMap(\.lines).contains { $0.words.contains("<v") || $0.words.contains("</v") })
    }
}

extension SubtitleCue {
    /// The events of a cue of text.
    var lines: [String] {
        if case .text(let lines) = content { lines } else { [] }
    }
}

extension String {
    /// The text of an event.
    var words: String {
        let fields = split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        return fields.count == 9 ? String(fields[8]) : self
    }
}
