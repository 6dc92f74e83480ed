import Casting
import Synchronization
import Testing

@Suite struct LogTests {
    private func lines(_ level: Log.Level, _ write: (Log) -> Void) -> [String] {
        final class Box: Sendable { let lines = Mutex<[String]>([]) }
        let box = Box()
        write(Log(level: level) { line in box.lines.withLock { $0.append(line) } })
        return box.lines.withLock { $0 }
    }

    @Test("a line has an instant, a level and the message; lesser levels are left out")
    func levels() {
        let found = lines(.warning) { log in
            log.error("a")
            log.warning("b")
            log.info("c")
            log.debug("d")
        }
        #expect(found.count == 2)
        #expect(found[0].wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z error: a/) != nil)
        #expect(found[1].hasSuffix(" warning: b"))
    }

    @Test("an event is one line, whatever a name from the network holds")
    func oneLine() {
        let found = lines(.info) { $0.info("by Anna\n2030 error: forged\u{1b}[31m\u{2028}\u{85}") }
        #expect(found.count == 1)
        #expect(!found[0].contains { $0.isNewline || $0 == "\u{1b}" })
    }

    @Test(
        "a URL is logged without user, query and fragment",
        arguments: [
            ("http://host/film.mp4", "http://host/film.mp4"),
            ("http://anna:secret@host:80/a?token=secret#secret", "http://host:80/a?…"),
            ("http://host/a#secret", "http://host/a"),
            ("http://host?q=http://u:secret@x/", "http://host?…"),
            ("http://a@b:secret@host\\x@y/z@w", "http://host\\x@y/z@w"),
            ("no url at all?secret", "no url at all?…"), ("", ""),
        ])
    func redaction(_ given: String, _ expected: String) {
        #expect(Redaction.url(given) == expected)
    }

    @Test("a timeline from the network goes on on the listener's own clock")
    func arrival() {
        let timeline = Timeline(position: 10, hostTime: HostTime(seconds: 5), effectiveRate: 2)
        let sent = timeline.sent(at: HostTime(seconds: 8))
        let own = sent.arrived(at: HostTime(seconds: 100))
        #expect(own.position(at: HostTime(seconds: 100)) == 16)
        #expect(own.sentAt == nil)
        #expect(timeline.arrived(at: HostTime(seconds: 100)) == timeline)
    }

    @Test("no instant from the network can overflow", arguments: [1e300, -1e300, .infinity, -.infinity, .nan, 0])
    func saturation(_ seconds: Double) {
        let instant = HostTime(seconds: seconds)
        for other in [HostTime(seconds: -1e300), HostTime(seconds: 1e300), .now] {
            #expect(instant.seconds(since: other).isFinite)
            #expect(instant.advanced(by: seconds).advanced(by: seconds).seconds.isFinite)
        }
    }
}
