import Casting
import Receiver
import Testing

@Suite struct CommandRulesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var command: Command
        /// The field at fault; nil where the command is right.
        var field: String?
        var testDescription: String { "\(field ?? "right"): \(command)".prefix(120) + "" }
    }

    private static func item(_ change: (inout MediaItem) -> Void) -> Command {
        var item = MediaItem(url: "http://host/film.mp4")
        change(&item)
        return .load(item)
    }

    static let cases: [Case] = [
        Case(command: item { _ in }),
        Case(command: item { $0.url = "HTTPS://user:pw@[fe80::1%25eth0]:8443/a%20b?c=d#e" }),
        Case(command: item { $0.url = "http://host" }),
        Case(command: item { $0.url = "http://host/a b ü.mp4?c=d e" }),
        Case(command: item { $0.url = "file:///etc/passwd" }, field: "url"),
        Case(command: item { $0.url = "/etc/passwd" }, field: "url"),
        Case(command: item { $0.url = "" }, field: "url"),
        Case(command: item { $0.url = "pipe:0" }, field: "url"),
        Case(command: item { $0.url = "concat:http://a|file:///b" }, field: "url"),
        Case(command: item { $0.url = "//host/film" }, field: "url"),
        Case(command: item { $0.url = "http:///film" }, field: "url"),
        Case(command: item { $0.url = "http://host:0/film" }, field: "url"),
        Case(command: item { $0.url = "http://host:99999/film" }, field: "url"),
        Case(command: item { $0.url = "http://ho st/film" }, field: "url"),
        Case(command: item { $0.url = "http://host/a\nb" }, field: "url"),
        Case(command: item { $0.url = " http://host/a" }, field: "url"),
        Case(command: item { $0.url = "http://host/" + String(repeating: "x", count: 8192) }, field: "url"),
        Case(command: item { $0.artworkURL = "file:///x.png" }, field: "artworkURL"),
        Case(command: item { $0.startPosition = 0 }),
        Case(command: item { $0.startPosition = -1 }, field: "startPosition"),
        Case(command: item { $0.startPosition = .nan }, field: "startPosition"),
        Case(command: item { $0.startPosition = .infinity }, field: "startPosition"),
        Case(command: item { $0.rate = 2 }),
        Case(command: item { $0.rate = 2.01 }, field: "rate"),
        Case(command: item { $0.rate = 0 }, field: "rate"),
        Case(command: item { $0.id = "" }, field: "id"),
        Case(command: item { $0.id = "a\r\nb" }, field: "id"),
        Case(command: item { $0.title = String(repeating: "x", count: 1025) }, field: "title"),
        Case(command: item { $0.headers = ["Cookie": "a=b", "Authorization": "Bearer x", "X-A": ""] }),
        Case(command: item { $0.headers = ["Host": "other"] }, field: "headers.Host"),
        Case(command: item { $0.headers = ["range": "bytes=0-"] }, field: "headers.range"),
        Case(command: item { $0.headers = ["CONTENT-LENGTH": "1"] }, field: "headers.CONTENT-LENGTH"),
        Case(command: item { $0.headers = ["A": "b\r\nHost: c"] }, field: "headers.A"),
        Case(command: item { $0.headers = ["A\r\nB": "c"] }, field: "headers"),
        Case(command: item { $0.headers = ["": "c"] }, field: "headers"),
        Case(command: item { $0.headers = ["A:": "c"] }, field: "headers"),
        Case(command: item { $0.subtitles = [ExternalSubtitles(url: "http://h/a.vtt", language: "de")] }),
        Case(command: item { $0.subtitles = [ExternalSubtitles(url: "file:///a.vtt")] }, field: "subtitles[0].url"),
        Case(command: item { $0.preferredLanguages = ["de", ""] }, field: "preferredLanguages[1]"),
        Case(command: .renewSource(SourceRenewal(url: "http://h/b", headers: ["A": "b"], itemID: "a"))),
        Case(command: .renewSource(SourceRenewal(url: "file:///etc/passwd")), field: "url"),
        Case(command: .renewSource(SourceRenewal(url: "http://h/b", headers: ["Range": "b"])), field: "headers.Range"),
        Case(command: .renewSource(SourceRenewal(url: "http://h/b", itemID: "")), field: "itemID"),
        Case(command: .enqueue([], before: nil), field: "items"),
        Case(
            command: .enqueue([MediaItem(url: "http://h/1"), MediaItem(url: "ftp://h/2")], before: nil),
            field: "items[1].url"),
        Case(
            command: .enqueue([MediaItem](repeating: MediaItem(url: "http://h/1"), count: 991), before: nil),
            field: "items"),
        Case(command: .enqueue([MediaItem](repeating: MediaItem(url: "http://h/1"), count: 990), before: "a")),
        Case(command: .seek(SeekRequest(position: -5))),
        Case(command: .seek(SeekRequest(position: .nan)), field: "position"),
        Case(command: .seek(SeekRequest(position: 5, toleranceBefore: -1)), field: "toleranceBefore"),
        Case(command: .seek(SeekRequest(position: 5, toleranceAfter: .infinity)), field: "toleranceAfter"),
        Case(command: .skip(by: -.infinity), field: "seconds"),
        Case(command: .step(by: -100)),
        Case(command: .step(by: 0), field: "pictures"),
        Case(command: .step(by: 101), field: "pictures"),
        Case(command: .setRate(0)),
        Case(command: .setRate(0.5)),
        Case(command: .setRate(0.49), field: "rate"),
        Case(command: .setRate(-1), field: "rate"),
        Case(command: .setRate(.nan), field: "rate"),
        Case(command: .setDefaultRate(0), field: "defaultRate"),
        Case(command: .setVolume(.set(1))),
        Case(command: .setSubtitles(SubtitleChange(delayAdjustment: -0.1, size: 2, color: "#00ff00", position: 50))),
        Case(command: .setSubtitles(SubtitleChange()), field: "delay"),
        Case(command: .setSubtitles(SubtitleChange(delay: 1, delayAdjustment: 1)), field: "delayAdjustment"),
        Case(command: .setSubtitles(SubtitleChange(size: 9)), field: "size"),
        Case(command: .setSubtitles(SubtitleChange(color: "red")), field: "color"),
        Case(command: .setVolume(.set(1.01)), field: "volume"),
        Case(command: .setVolume(.adjust(-1.5)), field: "adjustment"),
        Case(command: .dequeue(""), field: "id"),
    ]

    @Test("a command is checked before it goes to the player", arguments: cases)
    func check(_ row: Case) {
        do throws(CastError) {
            try CommandRules.check(row.command, queued: 10)
            #expect(row.field == nil)
        } catch {
            #expect(error.details?["field"] == row.field)
            #expect([.invalidRequest, .unsupportedURL].contains(error.code))
            #expect(error.message.hasPrefix("“\(row.field ?? "?")” "))
        }
    }

    @Test("a sender needs an id and a name of one line")
    func sender() throws {
        try CommandRules.check(SenderIdentity(id: "a", name: "Anna's téléphone"))
        for sender in [
            SenderIdentity(id: "", name: "a"), SenderIdentity(id: "a", name: ""), SenderIdentity(id: "a", name: "a\nb"),
            SenderIdentity(id: "a", name: String(repeating: "x", count: 129)),
        ] {
            #expect(throws: CastError.self) { try CommandRules.check(sender) }
        }
    }
}
