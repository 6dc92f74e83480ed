import Casting
import Discovery
import Foundation
import HTTP
import TestSupport
import Testing

@testable import Sender

/// Which receiver a command reaches.
@Suite struct RouteTests {
    let user: TestUser

    init() throws { user = try TestUser() }

    @Test("a receiver is remembered by name and id, and the environment names one as well")
    func remembered() async throws {
        let first = try TestReceiver(name: "First TV")
        let second = try TestReceiver(name: "Second TV")
        for receiver in [first, second] {
            #expect(try await user.run(["status", "--to", receiver.address]).status == 0)
        }
        #expect(try await user.run(["status"]).output.hasPrefix("Second TV"))
        #expect(try await user.run(["status", "--to", "first tv"]).output.hasPrefix("First TV"))
        #expect(try await user.run(["status"]).output.hasPrefix("First TV"))
        #expect(try await user.run(["status", "--to", String(second.id.prefix(8))]).output.hasPrefix("Second TV"))
        let named = try await user.run(["status"], environment: ["CASTSEND_ROUTE": "First TV"])
        #expect(named.output.hasPrefix("First TV"))
    }

    @Test("another receiver at a remembered address is not taken for the one that was there")
    func impostor() async throws {
        let receiver = try TestReceiver(name: "TV")
        #expect(try await user.run(["status", "--to", receiver.address]).status == 0)
        let port = receiver.port
        receiver.vanish()
        let other = try await TestReceiver.replacing("other-id", name: "Other", port: port)
        let run = try await user.run(["play", "http://192.0.2.1/film.mp4", "--detach"])
        #expect(run.status == 6)
        #expect(run.errors.contains("“TV”, used last, does not answer"))
        #expect(other.loads.isEmpty)
    }

    @Test("an address where nothing answers ends with 6, a host that is not there too")
    func nothingThere() async throws {
        let receiver = try TestReceiver()
        let address = receiver.address
        receiver.vanish()
        let run = try await user.run(["pause", "--to", address])
        #expect(run.status == 6)
        #expect(run.errors.hasPrefix("castsend: Nothing answers at \(address).\n"))
        #expect(try await user.run(["pause", "--to", "nowhere.invalid:80"]).status == 6)
    }

    @Test("something else at the address is told from a receiver")
    func somethingElse() async throws {
        let server = HTTPServer { _ in HTTPResponse.text("hello") }
        try server.start(port: 0, on: .loopback)
        defer { server.stop() }
        let run = try await user.run(["status", "--to", "127.0.0.1:\(server.port)"])
        #expect(run.status == 6)
        #expect(run.errors.contains("is no castway receiver"))
    }

    @Test("without Avahi it is said so, and that an address works")
    func noAvahi() async throws {
        for words in [["routes"], ["status", "--to", "Living Room"], ["play", "http://192.0.2.1/x"]] {
            let run = try await user.run(words)
            #expect(run.status == 6, "\(words)")
            #expect(run.errors.contains("“--to HOST”"), "\(words)")
        }
    }

    /// A finder that sees these routes on the network.
    private func finder(_ routes: [Route]) -> RouteFinder {
        RouteFinder(store: SenderStateStore(folder: user.folder.path + "/castway"), http: HTTPClient()) {
            AsyncStream { continuation in
                continuation.yield(RouteSnapshot())
                continuation.yield(RouteSnapshot(routes: routes, phase: .allForNow))
            }
        }
    }

    private func route(_ receiver: TestReceiver, _ name: String, dead: Bool = false) -> Route {
        Route(
            id: receiver.id, name: name, model: "", capabilities: [], availability: .idle, protocolVersion: 1,
            endpoints: (dead ? [Endpoint(host: "127.0.0.1", port: 1)] : []) + [receiver.endpoint])
    }

    @Test("a name is looked for on the network, and reached at the first address that answers")
    func discovered() async throws {
        let receiver = try TestReceiver(name: "TV")
        let finder = finder([route(receiver, "TV", dead: true)])
        #expect(try await finder.find(option: "tv", environment: nil).info.id == receiver.id)
        #expect(user.state.lastUsed?.endpoint == receiver.endpoint)
    }

    @Test("the only receiver there is is taken; of several none, and the list is given")
    func only() async throws {
        let first = try TestReceiver(name: "First")
        let second = try TestReceiver(name: "Second")
        #expect(try await finder([route(first, "First")]).find(option: nil, environment: nil).info.id == first.id)
        let other = try RouteTests()
        let failure = await #expect(throws: RouteFailure.self) {
            try await other.finder([route(first, "First"), route(second, "Second")]).find(option: nil, environment: nil)
        }
        #expect(failure?.error.code == .routeNotFound)
        #expect(failure?.candidates.count == 2)
    }

    @Test("a receiver that moved is found where it is now")
    func moved() async throws {
        let receiver = try TestReceiver(name: "TV")
        try SenderStateStore(folder: user.folder.path + "/castway").update {
            $0.remember(id: receiver.id, name: "TV", endpoint: Endpoint(host: "127.0.0.1", port: 1))
        }
        #expect(
            try await finder([route(receiver, "TV")]).find(option: nil, environment: nil).client.endpoint
                == receiver.endpoint)
    }

    @Test("a receiver that has another name by now is not taken for the one of its old name")
    func renamed() async throws {
        let old = try TestReceiver(name: "TV #2")
        let new = try TestReceiver(name: "TV")
        try SenderStateStore(folder: user.folder.path + "/castway").update {
            $0.remember(id: old.id, name: "TV", endpoint: old.endpoint)
        }
        let finder = finder([route(old, "TV #2"), route(new, "TV")])
        #expect(try await finder.find(option: "TV", environment: nil).info.id == new.id)
        #expect(try await finder.find(option: "TV #2", environment: nil).info.id == old.id)
    }

    @Test("every command has help, no line of it wider than 80 columns, and no secret needed for it")
    func help() async throws {
        for words in [
            [], ["routes"], ["play"], ["pause"], ["resume"], ["stop"], ["seek"], ["rate"], ["volume"], ["next"],
            ["previous"], ["queue"], ["queue", "add"], ["queue", "list"], ["queue", "clear"], ["status"], ["watch"],
            ["disconnect"],
        ] {
            let run = try await user.run(words + ["--help"])
            #expect(run.status == 0)
            #expect(run.output.contains("Usage: " + (["castsend"] + words).joined(separator: " ")))
            #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(words)")
        }
        #expect(try await user.run(["--version"]).output == "castsend \(Castway.version)\n")
        #expect(!FileManager.default.fileExists(atPath: user.folder.path + "/castway"))
    }
}
