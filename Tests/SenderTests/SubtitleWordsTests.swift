import Casting
import Sender
import Testing

@Suite("Words about subtitles") struct SubtitleWordsTests {
    @Test("a plain delay is set, a signed one is added")
    func delays() throws {
        #expect(try SubtitleChange(delay: "0.5", size: nil, color: nil, position: nil) == SubtitleChange(delay: 0.5))
        let later = try SubtitleChange(delay: "+0.5", size: nil, color: nil, position: nil)
        #expect(later == SubtitleChange(delayAdjustment: 0.5))
        let sooner = try SubtitleChange(delay: "-0.25", size: "150", color: "Yellow", position: "bottom")
        #expect(sooner == SubtitleChange(delayAdjustment: -0.25, size: 1.5, color: "#FFE14A", position: 0))
        #expect(try SubtitleChange(delay: nil, size: "80%", color: "00ff7f", position: "50").color == "#00FF7F")
    }

    @Test(
        "nonsense is told apart",
        arguments: [
            ("x", nil, nil, nil), (nil, "5", nil, nil), (nil, nil, "mauve", nil), (nil, nil, nil, "101"),
            ("1e9", nil, nil, nil),
        ] as [(String?, String?, String?, String?)])
    func nonsense(_ delay: String?, _ size: String?, _ color: String?, _ position: String?) {
        #expect(throws: SubtitleChange.Nonsense.self) {
            try SubtitleChange(delay: delay, size: size, color: color, position: position)
        }
    }

    @Test("many small steps lead back to nothing, and nothing goes beyond the limits")
    func steps() {
        var settings = SubtitleSettings()
        for _ in 0..<7 { settings.apply(SubtitleChange(delayAdjustment: 0.1)) }
        #expect(settings.delay == 0.7)
        for _ in 0..<7 { settings.apply(SubtitleChange(delayAdjustment: -0.1)) }
        #expect(settings.delay == 0)
        settings.apply(SubtitleChange(delayAdjustment: -1e9, size: 100, color: "red", position: .nan))
        #expect(settings.delay == -3600 && settings.size == 4 && settings.color == "#FFFFFF" && settings.position == 0)
    }
}
