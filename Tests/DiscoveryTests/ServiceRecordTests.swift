import Casting
import Testing

@testable import Discovery

@Suite struct ServiceRecordTests {
    private func read(_ texts: String...) -> ServiceRecord? {
        ServiceRecord(texts: texts.map { Array($0.utf8) }, serviceName: "Service")
    }

    @Test func `A record reads what it wrote`() {
        let record = ServiceRecord(
            id: "6f9a", name: "Wohnzimmer 📺", model: "box", capabilities: ["video", "audio"], availability: .busy,
            protocolVersion: 3)
        #expect(ServiceRecord(texts: record.texts, serviceName: "other") == record)
    }

    @Test func `The strings are those of the protocol`() {
        let texts = ServiceRecord(id: "1", name: "TV").texts.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts == ["id=1", "v=1", "name=TV", "model=castway receiver", "caps=video,audio", "state=idle"])
    }

    @Test func `What is missing gets a default`() {
        let record = read("id=1")
        #expect(record?.name == "Service")
        #expect(record?.model == "")
        #expect(record?.capabilities == [])
        #expect(record?.availability == .idle)
        #expect(record?.protocolVersion == 1)
    }

    @Test func `Keys have no case, and the first of equal ones counts`() {
        #expect(read("ID=1", "Name=TV", "name=other", "STATE=busy")?.name == "TV")
        #expect(read("ID=1", "STATE=busy")?.availability == .busy)
    }

    @Test(arguments: ["v=", "v", "v=x", "v=-1", "v=0", "v=99999999999999999999999", "state=asleep", "=", "==", ""])
    func `A malformed string harms nothing`(text: String) {
        #expect(read("id=1", text) == ServiceRecord(id: "1", name: "Service", model: "", capabilities: []))
    }

    @Test(arguments: ["", "id", "id=", "id= ", "id=a b", "id=\u{e9}", "id=" + String(repeating: "x", count: 65)])
    func `Without a usable id there is no record`(text: String) {
        #expect(read(text, "name=TV") == nil)
    }

    @Test func `Bytes that are no text harm nothing`() {
        let record = ServiceRecord(
            texts: [Array("id=1".utf8), [0xff, 0xfe], Array("name=".utf8) + [0xff, 0x41, 0xc3]], serviceName: "S")
        #expect(record?.name == "\u{fffd}A\u{fffd}")
    }

    @Test func `Text that could steer a terminal is cleaned`() {
        #expect(read("id=1", "name=\u{1b}[2JTV\r\n\u{202e}")?.name == "[2JTV")
        #expect(read("id=1", "name=\u{7}")?.name == "Service")
        #expect(read("id=1", "name=👨‍👩‍👧")?.name == "👨‍👩‍👧")
    }

    @Test func `Thousands of strings are cut short`() {
        let texts = (0..<100_000).map { Array("k\($0)=v".utf8) }
        #expect(ServiceRecord(texts: texts + [Array("id=1".utf8)], serviceName: "S") == nil)
    }

    @Test func `A long value is cut on a character's boundary`() {
        var record = ServiceRecord(id: "1", name: "TV")
        record.model = String(repeating: "ü", count: 400)
        #expect(record.texts.allSatisfy { $0.count <= 255 })
        #expect(ServiceRecord(texts: record.texts, serviceName: "")?.model == String(repeating: "ü", count: 124))
    }
}

@Suite struct ServiceNameTests {
    @Test func `A name that fits stays as it is`() {
        #expect(ServiceName.usable("Ann's TV (old)") == "Ann's TV (old)")
    }

    @Test func `A long name is cut to 63 bytes between characters`() {
        #expect(ServiceName.usable(String(repeating: "a", count: 64)) == String(repeating: "a", count: 63))
        #expect(ServiceName.usable(String(repeating: "é", count: 40)) == String(repeating: "é", count: 31))
        #expect(ServiceName.usable(String(repeating: "a", count: 60) + "👨‍👩‍👧") == String(repeating: "a", count: 60))
    }

    @Test(arguments: ["", "  ", "\n", "\u{0}", "a" + String(repeating: "\u{301}", count: 99)])
    func `A name of nothing is replaced`(wish: String) {
        #expect(ServiceName.usable(wish) == "castway")
    }

    @Test func `A taken name is numbered`() {
        #expect(ServiceName.alternative(to: "TV") == "TV #2")
        #expect(ServiceName.alternative(to: "TV #2") == "TV #3")
        #expect(ServiceName.alternative(to: "TV #99") == "TV #100")
    }

    @Test func `A numbered name fits, too`() {
        for name in [
            String(repeating: "a", count: 63), String(repeating: "é", count: 31), String(repeating: "📺", count: 15),
        ] {
            let next = ServiceName.alternative(to: name)
            #expect(next.utf8.count <= 63)
            #expect(next.hasSuffix(" #2"))
            #expect(!next.contains("\u{fffd}"))
        }
    }
}

@Suite struct BackoffTests {
    @Test func `Waits grow, but not for ever`() {
        var backoff = Backoff()
        let waits = (0..<20).map { _ in backoff.next() }
        #expect(waits.prefix(4) == [0.1, 0.2, 0.4, 0.8])
        #expect(waits.last == 5)
    }
}

@Suite struct BroadcastTests {
    @Test func `A listener hears the value now and each change, to the last`() async {
        let broadcast = Broadcast(0)
        broadcast.send(1)
        let stream = broadcast.stream
        broadcast.send(1)
        broadcast.send(2)
        broadcast.finish(3)
        broadcast.send(4)
        var heard: [Int] = []
        for await value in stream { heard.append(value) }
        #expect(heard == [1, 2, 3])
        var late: [Int] = []
        for await value in broadcast.stream { late.append(value) }
        #expect(late == [3])
    }
}
