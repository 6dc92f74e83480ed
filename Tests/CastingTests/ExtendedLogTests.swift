import Testing

@testable import Casting

@Suite struct ExtendedLogTests {
    @Test func `a log as text has a line of fields and one for each entry`() {
        var entry = AccessLogEntry(
            uri: "http://h/a?b", playbackStartDate: "2024-01-02T03:04:05.600Z", playbackSessionID: "S",
            playbackStartOffset: 1.25)
        entry.numberOfBytesTransferred = 123_456
        entry.durationWatched = 2
        let lines = AccessLogDocument(itemID: "a", events: [entry]).extendedLogText.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0] == "#Version: 1.0")
        let fields = lines[1].dropFirst("#Fields: ".count).split(separator: " ")
        let values = lines[2].split(separator: " ")
        #expect(fields.count == values.count)
        let row = Dictionary(uniqueKeysWithValues: zip(fields, values))
        #expect(row["uri"] == "http://h/a?b")
        #expect(row["c-start-time"] == "1.250")
        #expect(row["c-duration-watched"] == "2")
        #expect(row["bytes"] == "123456")
        #expect(row["s-ip"] == "-")
    }

    @Test func `a sentence is put in quotation marks, and cannot begin a line of its own`() {
        let entry = ErrorLogEntry(
            date: "d", uri: "u", serverAddress: nil, playbackSessionID: "S", errorStatusCode: 503,
            errorDomain: "timedOut", errorComment: "He said \"no\"\n#Fields: x")
        let text = ErrorLogDocument(events: [entry]).extendedLogText
        #expect(text.split(separator: "\n").count == 3)
        #expect(text.hasSuffix("d u S - 503 timedOut \"He said \"\"no\"\" #Fields: x\"\n"))
    }

    @Test(arguments: [(1.0, "1"), (-0.5, "-0.500"), (0.0004, "0"), (12.3456, "12.346")])
    func `numbers have three digits after the point`(value: Double, text: String) {
        #expect(ExtendedLog.number(value) == text)
    }

    @Test func `numbers that are none are not known`() {
        #expect(ExtendedLog.number(.nan) == nil)
        #expect(ExtendedLog.number(.infinity) == nil)
        #expect(ExtendedLog.number(nil) == nil)
    }
}
