import Casting
import Testing

@testable import Discovery

@Suite struct RouteTableTests {
    private let wired4 = ServiceInstance(interface: 2, isIPv6: false, name: "TV", domain: "local")
    private let wired6 = ServiceInstance(interface: 2, isIPv6: true, name: "TV", domain: "local")
    private let radio4 = ServiceInstance(interface: 3, isIPv6: false, name: "TV", domain: "local")
    private let loop4 = ServiceInstance(interface: 1, isIPv6: false, name: "TV", domain: "local")

    private func service(
        _ address: String, port: Int = 7766, id: String = "1", name: String = "TV", state: Availability = .idle
    ) -> ResolvedService {
        ResolvedService(
            address: address, port: port, texts: ServiceRecord(id: id, name: name, availability: state).texts)
    }

    private func found(_ table: inout RouteTable, _ instance: ServiceInstance, _ interface: String) {
        let isNew = table.found(instance, on: interface)
        #expect(isNew)
    }

    @Test func `The instances of one receiver make one route, the best address first`() {
        var table = RouteTable()
        found(&table, loop4, "lo")
        found(&table, wired6, "eth0")
        found(&table, radio4, "wlan0")
        found(&table, wired4, "eth0")
        table.resolved(loop4, service("127.0.0.1"))
        table.resolved(wired6, service("fe80::1"))
        table.resolved(radio4, service("192.168.1.9"))
        table.resolved(wired4, service("192.168.1.8"))
        let snapshot = table.snapshot
        #expect(snapshot.routes.count == 1)
        #expect(
            snapshot.routes.first?.endpoints.map(\.host) == [
                "192.168.1.8", "192.168.1.9", "fe80::1%eth0", "127.0.0.1",
            ])
        #expect(snapshot.interfaces == ["1": ["eth0", "lo", "wlan0"]])
    }

    @Test func `An address seen twice is named once`() {
        var table = RouteTable()
        found(&table, wired4, "eth0")
        found(&table, radio4, "wlan0")
        table.resolved(wired4, service("10.0.0.2"))
        table.resolved(radio4, service("10.0.0.2"))
        #expect(table.snapshot.routes.first?.endpoints == [Endpoint(host: "10.0.0.2", port: 7766)])
    }

    @Test func `The youngest record counts`() {
        var table = RouteTable()
        found(&table, wired4, "eth0")
        found(&table, wired6, "eth0")
        table.resolved(wired4, service("10.0.0.2"))
        table.resolved(wired6, service("fe80::1"))
        table.resolved(wired4, service("10.0.0.2", state: .busy))
        #expect(table.snapshot.routes.first?.availability == .busy)
    }

    @Test func `A new TXT record counts at once, and stays when the old one goes`() {
        let idle = ServiceRecord(id: "1", name: "TV").texts
        let busy = ServiceRecord(id: "1", name: "TV", availability: .busy).texts
        var table = RouteTable()
        found(&table, wired4, "eth0")
        table.foundTexts(wired4, idle)
        #expect(table.snapshot.routes.isEmpty)
        table.resolved(wired4, service("10.0.0.2"))
        table.foundTexts(wired4, busy)
        #expect(table.snapshot.routes.first?.availability == .busy)
        table.lostTexts(wired4, idle)
        #expect(table.snapshot.routes.first?.availability == .busy)
        // The resolver is late with it.
        table.resolved(wired4, service("10.0.0.2"))
        #expect(table.snapshot.routes.first?.availability == .busy)
        for number in 0..<100 { table.foundTexts(wired4, [[UInt8(number)]]) }
        #expect(table.snapshot.routes.isEmpty)
        table.foundTexts(wired4, busy)
        #expect(table.snapshot.routes.first?.availability == .busy)
    }

    @Test func `A route loses its addresses one by one, and then is gone`() {
        var table = RouteTable()
        found(&table, wired4, "eth0")
        found(&table, wired6, "eth0")
        table.resolved(wired4, service("10.0.0.2"))
        table.resolved(wired6, service("fd00::1"))
        table.lost(wired4)
        #expect(table.snapshot.routes.first?.endpoints.map(\.host) == ["fd00::1"])
        table.lost(wired6)
        #expect(table.snapshot.routes.isEmpty)
        // What was asked before may be answered late.
        table.resolved(wired6, service("fd00::1"))
        #expect(table.snapshot.routes.isEmpty)
    }

    @Test func `Routes are in the order of their names`() {
        var table = RouteTable()
        for (number, name) in ["kitchen", "Attic", "Study"].enumerated() {
            let instance = ServiceInstance(interface: 2, isIPv6: false, name: name, domain: "local")
            found(&table, instance, "eth0")
            table.resolved(instance, service("10.0.0.\(number)", id: "\(number)", name: name))
        }
        #expect(table.snapshot.routes.map(\.name) == ["Attic", "kitchen", "Study"])
    }

    @Test func `A phase is reached once everything found until then is resolved`() {
        var table = RouteTable()
        found(&table, wired4, "eth0")
        found(&table, wired6, "eth0")
        table.cacheExhausted()
        #expect(table.snapshot.phase == .searching)
        table.resolved(wired4, service("10.0.0.2"))
        #expect(table.snapshot.phase == .searching)
        table.unresolved(wired6)
        #expect(table.snapshot.phase == .cacheExhausted)
        found(&table, radio4, "wlan0")
        table.allForNow()
        #expect(table.snapshot.phase == .cacheExhausted)
        table.lost(radio4)
        #expect(table.snapshot.phase == .allForNow)
    }

    @Test func `An empty cache is exhausted at once`() {
        var table = RouteTable()
        table.cacheExhausted()
        #expect(table.snapshot.phase == .cacheExhausted)
    }

    @Test func `An instance with a broken record or port is left out`() {
        var table = RouteTable()
        found(&table, wired4, "eth0")
        found(&table, wired6, "eth0")
        table.resolved(wired4, ResolvedService(address: "10.0.0.2", port: 7766, texts: [[0xff], []]))
        table.resolved(wired6, service("fd00::1", port: 0))
        #expect(table.snapshot.routes.isEmpty)
        #expect(table.snapshot.interfaces.isEmpty)
    }

    @Test func `One who announces without end does not fill the memory`() {
        var table = RouteTable()
        let taken = (0..<10_000).count { number in
            table.found(
                ServiceInstance(interface: 2, isIPv6: false, name: "\(number)", domain: "local"), on: "eth0")
        }
        #expect(taken == RouteTable.mostInstances)
    }

    @Test func `The data of a TXT record is taken apart, whatever it is`() {
        #expect(StringList.texts(inRecord: [2, 65, 66, 0, 1, 67]) == [[65, 66], [], [67]])
        #expect(StringList.texts(inRecord: []) == [])
        #expect(StringList.texts(inRecord: [0]) == [[]])
        #expect(StringList.texts(inRecord: [1, 65, 9, 66]) == [[65]])
        #expect(StringList.texts(inRecord: [255]) == [])
    }

    @Test(arguments: [
        ("10.0.0.1", AddressRank.routed4), ("169.254.3.4", .linkLocal4), ("2001:db8::1", .routed6),
        ("fd00::1", .routed6), ("fe80::1", .linkLocal6), ("FEBF::1", .linkLocal6), ("fec0::1", .routed6),
        ("::1", .loopback), ("127.0.0.1", .loopback), ("", .routed4),
    ])
    func `Addresses have ranks`(address: String, rank: AddressRank) {
        #expect(AddressRank(address: address, isLoopback: false) == rank)
    }
}
