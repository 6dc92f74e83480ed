import Casting
import Testing

@testable import Sender

@Suite struct PlaybackTimeTests {
    @Test(
        "a time is read",
        arguments: [
            ("0", 0), ("90", 90), ("7.25", 7.25), (".5", 0.5), ("1:30", 90), ("90:00", 5400), ("1:02:03.5", 3723.5),
            ("0:00:01", 1), ("100:00:00", 360_000), ("1:5", 65),
        ])
    func reads(_ text: String, _ seconds: Double) {
        #expect(PlaybackTime.parse(text) == seconds)
    }

    @Test(
        "what is no time is refused",
        arguments: [
            "", ":", "1:", ":30", "1:60", "1:2:60", "1:60:00", "1:2:3:4", "-5", "+5", "1e3", "inf", "nan", "0x10",
            "1.5:30", "5.", "1 :30", "１２", "abc", "1.2.3",
        ])
    func refuses(_ text: String) {
        #expect(PlaybackTime.parse(text) == nil)
    }

    @Test(
        "a time is written in whole seconds",
        arguments: [
            (0, "0:00"), (7.9, "0:07"), (754, "12:34"), (3723.5, "1:02:03"), (36_000, "10:00:00"), (-1, "0:00"),
        ])
    func writes(_ seconds: Double, _ text: String) {
        #expect(PlaybackTime.text(seconds) == text)
    }

    @Test(
        "an exact time reads back as it was written",
        arguments: [(0, "0:00"), (3723.5, "1:02:03.5"), (0.04, "0:00.04"), (59.9999, "1:00"), (12.345, "0:12.345")])
    func writesExactly(_ seconds: Double, _ text: String) throws {
        #expect(PlaybackTime.exactText(seconds) == text)
        #expect(abs(try #require(PlaybackTime.parse(text)) - seconds) < 0.001)
    }

    @Test("numbers beyond all measure are written all the same")
    func extremes() {
        #expect(PlaybackTime.text(.nan) == "0:00")
        #expect(PlaybackTime.text(.infinity) == "0:00")
        #expect(PlaybackTime.text(1e300) == "99999:59:59")
    }

    static let targets: [(String, SeekTarget?)] = [
        ("90", .position(90)), ("1:30", .position(90)), ("+10", .offset(10)), ("-30", .offset(-30)),
        ("-1:30", .offset(-90)), ("+.5", .offset(0.5)), ("", nil), ("+", nil), ("--5", nil), ("+-5", nil), ("x", nil),
    ]

    @Test("a seek goes to a time, or by one", arguments: targets)
    func seeks(_ text: String, _ target: SeekTarget?) {
        #expect(SeekTarget(text) == target)
    }

    static let volumes: [(String, VolumeRequest?)] = [
        ("50", VolumeRequest(volume: 0.5)), ("0", VolumeRequest(volume: 0)), ("100%", VolumeRequest(volume: 1)),
        ("+5", VolumeRequest(adjustment: 0.05)), ("-5", VolumeRequest(adjustment: -0.05)),
        ("mute", VolumeRequest(muted: true)), ("unmute", VolumeRequest(muted: false)),
        ("101", nil), ("loud", nil), ("", nil), ("+", nil), ("1e1", VolumeRequest(volume: 0.1)),
    ]

    @Test("a volume is a level, a change or a word", arguments: volumes)
    func volume(_ word: String, _ request: VolumeRequest?) {
        #expect(VolumeRequest(word: word) == request)
    }

    @Test(
        "a number is written without needless zeros",
        arguments: [(1, "1"), (1.5, "1.5"), (0.75, "0.75"), (0.05, "0.05"), (54.999, "55"), (-0.5, "-0.5")])
    func decimals(_ number: Double, _ text: String) {
        #expect(decimal(number) == text)
    }
}
