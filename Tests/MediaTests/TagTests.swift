import Casting
import Testing

@testable import Media

@Suite struct TagTests {
    @Test("A tag is read in the encoding it is in")
    func encodings() {
        #expect(TagText.decode(Array("Für Élise – 月光".utf8)) == "Für Élise – 月光")
        #expect(TagText.decode([0x46, 0xFC, 0x72, 0x20, 0xC9, 0x6C, 0x69, 0x73, 0x65]) == "Für Élise")
        #expect(TagText.decode([0x93, 0x48, 0x69, 0x94, 0x20, 0x80]) == "“Hi” €")
        #expect(TagText.decode([0xEF, 0xBB, 0xBF, 0x41, 0x20, 0x00]) == "A")
        #expect(TagText.decode(Array("\u{1B}[31mred\u{7}".utf8)) == "[31mred")
        #expect(TagText.decode([]) == nil)
        #expect(TagText.decode([0x20, 0x0A]) == nil)
    }

    @Test("Chapters come in order, within the duration, and none overlaps the next")
    func chapters() {
        let list = ChapterList.ordered(
            [
                Chapter(title: "C", start: 20, end: 900), Chapter(title: "A", start: -1, end: 15),
                Chapter(title: "B", start: 10, end: .infinity), Chapter(title: "X", start: 31, end: 40),
            ], duration: 30)
        #expect(list.map(\.title) == ["A", "B", "C"])
        #expect(list.map(\.start) == [0, 10, 20])
        #expect(list.map(\.end) == [10, 20, 30])
        #expect(ChapterList.ordered([Chapter(start: 5, end: .infinity)], duration: nil).map(\.end) == [5])
    }

    @Test("What a camera noted turns a picture upright")
    func exif() {
        #expect(Orientation(exif: 1) == Orientation())
        #expect(Orientation(exif: 6) == Orientation(rotation: 90))
        #expect(Orientation(exif: 5) == Orientation(rotation: 270, mirrored: true))
        #expect(Orientation(exif: 9) == nil)
    }

    @Test("An image file is known by its bytes")
    func artwork() {
        #expect(Artwork([0xFF, 0xD8, 0xFF, 0xE0])?.mediaType == "image/jpeg")
        #expect(Artwork(Array("RIFF....WEBPVP8 ".utf8))?.mediaType == "image/webp")
        #expect(Artwork(Array("<svg>".utf8)) == nil)
        #expect(Artwork([]) == nil)
        let broken = #expect(throws: CastError.self) {
            try VideoFrame.decode(#require(Artwork([0x89, 0x50, 0x4E, 0x47, 1, 2, 3])))
        }
        #expect(broken?.code == .decodeFailed)
    }

    @Test("Pictures are opened by demuxers that read bytes and never files by a pattern")
    func formats() {
        #expect(FormatChoice.demuxer(probed: "png_pipe", score: 99, contentTypes: [], path: "/a") == "png_pipe")
        #expect(FormatChoice.demuxer(probed: nil, score: 0, contentTypes: ["image/jpeg"], path: "/a") == "jpeg_pipe")
        #expect(FormatChoice.demuxer(probed: "image2", score: 99, contentTypes: [], path: "/a%03d") == nil)
        #expect(FormatChoice.demuxer(probed: "image2", score: 50, contentTypes: [], path: "/a.jpg") == "jpeg_pipe")
        #expect(!FormatChoice.allowed.contains("image2"))
        #expect(FormatChoice.isPicture("mov", beginning: [0, 0, 0, 32] + Array("ftypavif".utf8)))
        #expect(!FormatChoice.isPicture("mov", beginning: [0, 0, 0, 32] + Array("ftypisom".utf8)))
    }
}
