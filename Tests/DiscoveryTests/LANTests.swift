import Casting
import Foundation
import TestSupport
import Testing

/// Real daemons on a network of the test's own.
@Suite(.enabled(if: NamespaceLAN.isAvailable, "\(NamespaceLAN.requirement)"))
struct LANTests {
    private let probe = builtProgram("discovery-probe")

    /// A snapshot as the probe prints it.
    private struct Snapshot: Decodable {
        var routes: [Route]
        var phase: Int
        var problem: CastError?
        var interfaces: [String: [String]]
    }

    private func latest(_ browser: Child) -> Snapshot? {
        browser.output.split(separator: "\n").last.flatMap {
            try? JSONDecoder().decode(Snapshot.self, from: Data($0.utf8))
        }
    }

    private func advertise(
        _ lan: NamespaceLAN, on machine: Int, id: String = "id-1", name: String = "TV", port: Int = 7766
    ) throws -> Child {
        try lan.start(probe, ["advertise", id, name, "\(port)"], on: machine)
    }

    private func lastLine(_ child: Child) -> String { child.output.split(separator: "\n").last.map(String.init) ?? "" }

    @Test func `A receiver is found from another machine, changes before one's eyes, and says goodbye`() async throws {
        let lan = try await NamespaceLAN()
        let browser = try lan.start(probe, ["browse"], on: 0)
        let receiver = try advertise(lan, on: 1, name: "Wohnzimmer ü")
        #expect(await eventually { latest(browser)?.routes.first?.endpoints.count == 2 })
        let route = try #require(latest(browser)?.routes.first)
        #expect(route.id == "id-1")
        #expect(route.name == "Wohnzimmer ü")
        #expect(route.model == Castway.model)
        #expect(route.capabilities == ["video", "audio"])
        #expect(route.availability == .idle)
        #expect(route.protocolVersion == Castway.protocolVersion)
        #expect(route.endpoints[0] == Endpoint(host: lan.address(of: 1), port: 7766))
        #expect(route.endpoints[1].host.hasPrefix("fe80::"))
        #expect(route.endpoints[1].host.hasSuffix("%lan"))
        #expect(await eventually { lastLine(receiver) == "advertised Wohnzimmer ü" })

        receiver.signal(SIGUSR1)
        #expect(await eventually(within: 3) { latest(browser)?.routes.first?.availability == .busy })
        // So soon after the change before, the daemons take their time.
        receiver.signal(SIGUSR2)
        #expect(await eventually { latest(browser)?.routes.first?.availability == .idle })
        receiver.signal(SIGHUP)
        #expect(await eventually { latest(browser)?.routes.first?.endpoints.first?.port == 7767 })

        receiver.signal(SIGTERM)
        #expect(await eventually(within: 2) { latest(browser)?.routes.isEmpty == true })
        #expect(await receiver.status(within: 1) == 0)
        #expect(lastLine(receiver) == "withdrawn")
    }

    @Test func `A receiver that is killed disappears, too`() async throws {
        let lan = try await NamespaceLAN()
        let browser = try lan.start(probe, ["browse"], on: 0)
        let receiver = try advertise(lan, on: 1)
        #expect(await eventually { latest(browser)?.routes.count == 1 })
        receiver.signal(SIGKILL)
        #expect(await eventually(within: 2) { latest(browser)?.routes.isEmpty == true })
    }

    @Test func `A restart of either daemon, or of the bus, only interrupts`() async throws {
        let lan = try await NamespaceLAN()
        let browser = try lan.start(probe, ["browse"], on: 0)
        let receiver = try advertise(lan, on: 1)
        #expect(await eventually { latest(browser)?.routes.count == 1 })

        try await lan.stopAvahi(on: 1)
        #expect(await eventually { latest(browser)?.routes.isEmpty == true })
        #expect(await eventually { lastLine(receiver).hasPrefix("waiting The Avahi daemon") })
        try await lan.startAvahi(on: 1)
        #expect(await eventually { latest(browser)?.routes.count == 1 })
        #expect(await eventually { lastLine(receiver) == "advertised TV" })

        try await lan.stopAvahi(on: 0)
        #expect(await eventually { latest(browser)?.problem?.code == .discoveryUnavailable })
        #expect(latest(browser)?.routes.isEmpty == true)
        try await lan.startAvahi(on: 0)
        #expect(await eventually { latest(browser)?.routes.count == 1 && latest(browser)?.problem == nil })

        try await lan.stopAvahi(on: 1)
        await lan.stopBus(on: 1)
        #expect(await eventually { latest(browser)?.routes.isEmpty == true })
        try await lan.startBus(on: 1)
        try await lan.startAvahi(on: 1)
        #expect(await eventually { latest(browser)?.routes.count == 1 })
        #expect(receiver.isRunning && browser.isRunning)
    }

    @Test func `Bus and daemon may start after the programs`() async throws {
        let lan = try await NamespaceLAN(bus: false, avahi: false)
        let browser = try lan.start(probe, ["browse"], on: 0)
        let receiver = try advertise(lan, on: 1)
        #expect(await eventually { latest(browser)?.problem?.code == .discoveryUnavailable })
        #expect(await eventually { lastLine(receiver).hasPrefix("waiting The Avahi daemon") })
        for machine in 0...1 { try await lan.startBus(on: machine) }
        for machine in 0...1 { try await lan.startAvahi(on: machine) }
        #expect(await eventually(within: 15) { latest(browser)?.routes.count == 1 })
        #expect(await eventually { lastLine(receiver) == "advertised TV" })
    }

    @Test func `A name taken on the network or on the same machine is numbered`() async throws {
        let lan = try await NamespaceLAN()
        let browser = try lan.start(probe, ["browse"], on: 0)
        var receivers: [Child] = []
        for (number, machine) in [1, 0, 1].enumerated() {
            receivers.append(try advertise(lan, on: machine, id: "id-\(number)", port: 7766 + number))
            // Which of two on the network gives way is theirs to settle: one that has just come does not always.
            let names = ["TV", "TV #2", "TV #3"].prefix(number + 1)
            let isSettled = await eventually(within: 20) {
                receivers.map { lastLine($0) }.sorted() == names.map { "advertised \($0)" }
                    && latest(browser)?.routes.map(\.name) == Array(names)
            }
            #expect(isSettled)
        }
        for route in latest(browser)?.routes ?? [] {
            let receiver = receivers[try #require(Int(route.id.dropFirst(3)))]
            #expect(lastLine(receiver) == "advertised \(route.name)")
        }
    }

    @Test func `Without a daemon the error comes at once and says what to do`() async throws {
        let lan = try await NamespaceLAN(machines: 1, bus: false, avahi: false)
        for hasBus in [false, true] {
            if hasBus { try await lan.startBus(on: 0) }
            let run = try lan.run(probe, ["routes", "30"], on: 0)
            #expect(run.status == 6)
            #expect(run.output.contains("is not running"))
            #expect(run.output.contains("sudo apt install avahi-daemon"))
            #expect(try lan.run(probe, ["sighting", "id-1", "30"], on: 0).output.hasPrefix("unavailable"))
        }
        // A receiver without a daemon stops as fast as any.
        let receiver = try advertise(lan, on: 0)
        #expect(await eventually { lastLine(receiver).hasPrefix("waiting") })
        receiver.signal(SIGTERM)
        #expect(await receiver.status(within: 1) == 0)
    }

    @Test func `What the daemon has in its cache is listed without waiting for the network`() async throws {
        let lan = try await NamespaceLAN()
        let browser = try lan.start(probe, ["browse"], on: 0)
        _ = try advertise(lan, on: 1)
        #expect(await eventually { latest(browser)?.phase == 2 && latest(browser)?.routes.first?.endpoints.count == 2 })
        let start = HostTime.now
        #expect(try lan.run(probe, ["routes", "30"], on: 0).output == "TV\n")
        #expect(HostTime.now.seconds(since: start) < 5)
    }

    @Test func `A daemon that hangs holds nobody up`() async throws {
        let lan = try await NamespaceLAN(machines: 1)
        let receiver = try advertise(lan, on: 0)
        #expect(await eventually { lastLine(receiver) == "advertised TV" })
        #expect(try lan.run("sh", ["-c", "kill -STOP $(cat /run/avahi-daemon/pid)"], on: 0).status == 0)
        let listing = try lan.run(probe, ["routes", "0.3"], on: 0)
        #expect(listing.status == 6)
        #expect(listing.output.contains("does not answer"))
        receiver.signal(SIGTERM)
        #expect(await receiver.status(within: 1.5) == 0)
    }

    @Test func `Nothing is left over of those who came and went`() async throws {
        let lan = try await NamespaceLAN(machines: 1)
        let run = try lan.run(probe, ["cycle", "100"], on: 0)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func `A receiver's own announcement is seen back, and on which interface`() async throws {
        let lan = try await NamespaceLAN(machines: 1)
        #expect(try lan.run(probe, ["sighting", "id-1", "0.2"], on: 0).output == "notSeen\n")
        _ = try advertise(lan, on: 0)
        #expect(try lan.run(probe, ["sighting", "id-1", "10"], on: 0).output == "seen(interfaces: [\"lan\"])\n")
        try await lan.stopAvahi(on: 0)
        try await lan.startAvahi(on: 0, interfaces: "lo")
        #expect(try lan.run(probe, ["sighting", "id-1", "4"], on: 0).output == "loopbackOnly\n")
    }
}
