import Casting
import Foundation
import TestSupport
import Testing

/// The real programs on a network of the test's own, found through real Avahi daemons.
@Suite(.serialized, .enabled(if: NamespaceLAN.isAvailable, "\(NamespaceLAN.requirement)"))
struct LocalNetworkTests {
    private static let table = """
        NAME         MODEL             STATE  ADDRESS
        Living Room  castway receiver  idle   10.77.0.2:7766

        """

    @Test("a receiver is listed with name, model, state and address, at once when it is known")
    func listed() async throws {
        let home = try await Home()
        _ = try await home.startAnnounced()
        let isListed = try await eventually(within: 20) {
            try await home.castsend("routes").output == Self.table
        }
        #expect(isListed)
        // Not after what the daemon knows was asked of the network again, which takes a second.
        let isQuick = try await eventually(within: 20) {
            let start = HostTime.now
            let listing = try await home.castsend("routes", "--wait", "60")
            return listing.output == Self.table && HostTime.now.seconds(since: start) < 0.7
        }
        #expect(isQuick)
        let routes = try await home.routes { $0.first?.endpoints.count == 2 }
        let route = try #require(routes.first)
        #expect(routes.count == 1)
        #expect(route.name == "Living Room")
        #expect(route.model == Castway.model)
        #expect(route.availability == .idle)
        #expect(route.capabilities == ["video", "audio"])
        #expect(route.endpoints[0] == Endpoint(host: Home.boxAddress))
        #expect(route.endpoints[1].host.hasPrefix("fe80::") && route.endpoints[1].host.hasSuffix("%lan"))
    }

    @Test("what is announced is what other programs need", .enabled(if: hasAvahiBrowse, "avahi-browse is missing"))
    func announced() async throws {
        let home = try await Home()
        _ = try await home.startAnnounced()
        let routes = try await home.routes { $0.count == 1 }
        let texts =
            "\"id=\(try #require(routes.first).id)\" \"v=1\" \"name=Living Room\" \"model=castway receiver\" "
            + "\"caps=video,audio\" \"state=idle\""
        let isSeen = try await eventually(within: 20) {
            let lines = try await onOwnThread {
                try home.lan.run("avahi-browse", ["-rpt", Castway.serviceType], on: Home.laptop).output
            }
            return lines.split(separator: "\n").contains { line in
                line.hasPrefix("=;lan;IPv4;Living\\032Room;_castway._tcp;local;machine1.local;10.77.0.2;7766;")
                    && line.hasSuffix(texts)
            }
        }
        #expect(isSeen)
    }

    @Test("a file of the laptop is served to the TV and seen there, and the list says that it is busy")
    func film() async throws {
        let home = try await Home()
        let receiver = try await home.startAnnounced()
        #expect(try await home.sees { $0.count == 1 })
        let sender = try home.startCastsend(
            "play", try Clip().path(), "--to", "Living Room", "--at", "1.2", "--paused")
        #expect(await eventually { sender.output.contains("paused  0:01") }, "\(sender.errors)\(receiver.errors)")
        #expect(receiver.errors.contains("loads http://\(home.lan.address(of: Home.laptop)):"))
        #expect(try await home.frameNumber() == 30)
        #expect(try await home.sees { $0.first?.availability == .busy })
        #expect(try await home.castsend("routes").output.contains("●  Living Room  castway receiver  busy   10.77"))
        #expect(try await home.castsend("resume").status == 0)
        #expect(try await eventually { try await home.state().timeline.position > 1.3 })
        #expect(try await home.castsend("stop").status == 0)
        #expect(await sender.status() == 0)
        #expect(sender.output.hasSuffix("It was stopped.\n"))
        #expect(try await home.sees { $0.first?.availability == .idle })
    }

    @Test("an IPv6 link-local address with its interface works as well, for the file, too")
    func linkLocal() async throws {
        let home = try await Home()
        let receiver = try await home.startAnnounced()
        let routes = try await home.routes { $0.first?.endpoints.count == 2 }
        let address = try #require(routes.first?.endpoints.last).host
        #expect(address.hasPrefix("fe80::") && address.hasSuffix("%lan"))
        let bare = try await home.castsend("status", "--to", String(address.dropLast(4)))
        #expect(bare.status == 3)
        #expect(bare.errors.contains("does not say on which network interface it is.\n"))
        let sender = try home.startCastsend("play", try Clip().path(), "--to", address, "--at", "1.2", "--paused")
        #expect(await eventually { sender.output.contains("paused  0:01") }, "\(sender.errors)\(receiver.errors)")
        #expect(receiver.errors.contains("loads http://[fe80::"))
        #expect(try await home.frameNumber() == 30)
        #expect(try await home.castsend("status").output.contains("[\(address)]:7766)"))
        sender.signal(SIGTERM)
        #expect(await sender.status() == 0)
        #expect(try await home.castsend("status", "--to", "[\(address)]:7766").output.hasSuffix("volume 100 %\n"))
    }

    @Test("a cable that is pulled for a moment is told, and then it goes on")
    func cable() async throws {
        let home = try await Home()
        let receiver = try await home.startReceiver()
        let sender = try home.startCastsend("play", try Clip().path(), "--to", Home.boxAddress, "--paused")
        #expect(await eventually { sender.output.contains("paused  0:00") }, "\(sender.errors)\(receiver.errors)")
        try home.lan.setCable(of: Home.box, plugged: false)
        #expect(await eventually { sender.output.contains("no answer  0:00") })
        try home.lan.setCable(of: Home.box, plugged: true)
        #expect(
            await eventually { sender.output.split(separator: "\n").last?.hasPrefix("paused  0:00 / 0:04") ?? false },
            "\(sender.output)")
        #expect(try await home.castsend("stop").status == 0)
        #expect(await sender.status() == 0)
    }

    @Test("a receiver that is asked to end says goodbye")
    func goodbye() async throws {
        let home = try await Home()
        let receiver = try await home.startAnnounced()
        let watch = try home.startCastsend("routes", "--watch")
        #expect(await eventually(within: 20) { watch.output.hasPrefix("found    Living Room  castway receiver  idle") })
        receiver.signal(SIGTERM)
        #expect(await eventually(within: 2) { watch.output.hasSuffix("gone     Living Room\n") })
        #expect(await receiver.status(within: 1) == 0)
        watch.signal(SIGINT)
        #expect(await watch.status() == 0)
    }

    @Test("a daemon that starts late or again is told of the receiver, which never minds")
    func daemonComesAndGoes() async throws {
        let home = try await Home(avahi: false)
        let receiver = try await home.startReceiver()
        #expect(await eventually { receiver.errors.contains("warning: not announced on the network: The Avahi") })
        for machine in [Home.laptop, Home.box] { try await home.lan.startAvahi(on: machine) }
        #expect(try await home.sees { $0.map(\.name) == ["Living Room"] })
        try await home.lan.stopAvahi(on: Home.box)
        #expect(try await home.sees { $0.isEmpty })
        try await home.lan.startAvahi(on: Home.box)
        #expect(try await home.sees { $0.map(\.name) == ["Living Room"] })
        #expect(await eventually { announcements(in: receiver.errors) == ["Living Room", "Living Room"] })
        #expect(receiver.isRunning)
    }

    @Test("of two receivers of one name the second is numbered, and commands reach the one that is meant")
    func twins() async throws {
        let home = try await Home()
        _ = try await home.startAnnounced(state: "first")
        let second = try await home.startAnnounced(state: "second")
        #expect(second.errors.contains("warning: port 7766 is taken"))
        #expect(announcements(in: second.errors) == ["Living Room #2"])
        let routes = try await home.routes { $0.count == 2 && $0.allSatisfy { $0.endpoints.count == 2 } }
        #expect(routes.map(\.name) == ["Living Room", "Living Room #2"])
        #expect(routes.map(\.endpoints[0].port) == [7766, 7767])
        let list = """
            NAME            MODEL             STATE  ADDRESS
            Living Room     castway receiver  idle   10.77.0.2:7766
            Living Room #2  castway receiver  idle   10.77.0.2:7767

            """

        let undecided = try await home.castsend("status")
        #expect(undecided.status == 3)
        #expect(undecided.errors.hasPrefix("castsend: There are 2 receivers here.\n"))
        #expect(undecided.errors.hasSuffix(list))
        let unknown = try await home.castsend("status", "--to", "NoSuch")
        #expect(unknown.status == 3)
        #expect(unknown.errors.hasPrefix("castsend: There is no receiver “NoSuch” on this network.\n"))
        #expect(unknown.errors.hasSuffix(list))

        // The name by which the receiver itself goes, then.
        let id = try #require(routes.last).id
        let status = try await home.castsend("status", "--to", String(id.prefix(8)))
        #expect(status.output.hasPrefix("Living Room #2  (castway receiver"))
        #expect(try await home.castsend("status", "--to", "living room").output.contains("10.77.0.2:7766)"))
        #expect(try await home.castsend("status", "--to", "Living Room #2").output.contains("10.77.0.2:7767)"))
    }

    @Test("a receiver's own check says whether it can be seen, also while it runs")
    func check() async throws {
        let home = try await Home()
        let seen = "✓ discovery     seen on the network by lan\n"
        #expect(try await eventually(within: 20) { try await home.check().output.contains(seen) })
        _ = try await home.startAnnounced()
        let run = try await home.check()
        #expect(run.output.contains(seen), "\(run.output)")
        #expect(run.output.contains("· port          7766 is taken, by the receiver that runs already\n"))
        try await home.lan.stopAvahi(on: Home.box)
        let without = try await home.check()
        #expect(without.status == 1)
        #expect(without.output.contains("✗ discovery     The Avahi daemon, by which receivers are found, is not run"))
        #expect(without.output.contains("→ Install it with “sudo apt install avahi-daemon”, or start it"))
    }

    @Test("without Avahi castsend says how to get it, and an address works")
    func withoutAvahi() async throws {
        let home = try await Home(avahi: false)
        _ = try await home.startReceiver()
        for words in [["routes"], ["status", "--to", "Living Room"], ["status"]] {
            let run = try await home.castsend(words, user: "bert")
            #expect(run.status == 6, "\(words)")
            #expect(run.errors.contains("sudo apt install avahi-daemon"), "\(words)")
            #expect(run.errors.contains("“--to HOST”"), "\(words)")
        }
        let watch = try home.startCastsend("routes", "--watch", "--json")
        #expect(await eventually { watch.output.contains("\"code\":\"discoveryUnavailable\"") })
        for address in [Home.boxAddress, Home.boxAddress + ":7766"] {
            let run = try await home.castsend("status", "--to", address)
            #expect(run.output.hasPrefix("Living Room  (castway receiver"), "\(run.errors)")
        }
        // Now it is known, also by its name.
        #expect(try await home.castsend("status").status == 0)
        #expect(try await home.castsend("status", "--to", "Living Room").status == 0)
    }

    @Test("a receiver that is known is reached without a search, and found again when it has moved")
    func known() async throws {
        let home = try await Home()
        let receiver = try await home.startAnnounced()
        #expect(try await home.sees { $0.count == 1 })
        #expect(try await home.castsend("status", "--to", "Living Room").status == 0)
        // Nobody can be asked now.
        try await home.lan.stopAvahi(on: Home.laptop)
        #expect(try await home.castsend("status", "--to", "Living Room").output.contains("10.77.0.2:7766)"))
        #expect(try await home.castsend("status").output.contains("10.77.0.2:7766)"))
        try await home.lan.startAvahi(on: Home.laptop)
        receiver.signal(SIGTERM)
        #expect(await receiver.status() == 0)
        #expect(try await home.sees { $0.isEmpty })
        let gone = try await home.castsend("pause")
        #expect(gone.status == 3 && gone.errors.contains("“Living Room”, used last, is not there."), "\(gone)")
        _ = try await home.startAnnounced(port: 7800)
        #expect(try await home.sees { $0.first?.endpoints.first?.port == 7800 })
        for words in [["status", "--to", "Living Room"], ["status"]] {
            let run = try await home.castsend(words)
            #expect(run.output.contains("10.77.0.2:7800)"), "\(words): \(run)")
        }
    }
}

/// Whether the program that shows announcements is here.
private let hasAvahiBrowse = FileManager.default.isExecutableFile(atPath: "/usr/bin/avahi-browse")
