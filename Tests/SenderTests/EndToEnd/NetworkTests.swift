import Casting
import Foundation
import TestSupport
import Testing

@testable import Sender

/// The real castsend and castreceiver on two machines of a network of namespaces, each with its own Avahi.
@Suite(.enabled(if: NamespaceLAN.isAvailable, "\(NamespaceLAN.requirement)"))
struct NetworkTests {
    private let folder: TemporaryFolder
    private let lan: NamespaceLAN

    init() async throws {
        folder = try TemporaryFolder()
        lan = try await NamespaceLAN()
    }

    private func castsend(_ arguments: [String]) async throws -> Run {
        let words = ["XDG_STATE_HOME=\(folder.path)", builtProgram("castsend")] + arguments
        return try await onOwnThread { [lan] in try lan.run("env", words, on: 0) }
    }

    private func startReceiver(_ name: String) throws -> Child {
        let words = [
            "SDL_VIDEODRIVER=offscreen", "SDL_AUDIODRIVER=dummy", builtProgram("castreceiver"), "--name", name,
            "--state-dir", folder.path + "/" + name, "--port", "0",
        ]
        return try lan.start("env", words, on: 1)
    }

    @Test("a receiver is listed, plays a file of another machine by its name, and is gone from the list when stopped")
    func listedAndPlayed() async throws {
        let receiver = try startReceiver("Living Room")
        #expect(
            try await eventually(within: 20) {
                let output = try await castsend(["routes"]).output
                return output.contains("Living Room") && output.contains("castway receiver")
            })
        let json = try await castsend(["routes", "--json"])
        let routes = try JSONDecoder().decode([Route].self, from: Data(json.output.utf8))
        #expect(routes.map(\.name) == ["Living Room"])

        let clip = try Clip().path()
        let play = try await castsend(["play", clip, "--to", "living room"])
        #expect(play.status == 0, "\(play)")
        #expect(play.output.contains("playing  0:0") && play.output.hasSuffix("It has ended.\n"), "\(play.output)")

        let missing = try await castsend(["play", clip, "--to", "Attic"])
        #expect(missing.status == 3)
        #expect(missing.errors.contains("There is no receiver “Attic”") && missing.errors.contains("Living Room"))

        receiver.signal(SIGTERM)
        _ = await receiver.status(within: 10)
        #expect(try await eventually(within: 10) { try await castsend(["routes", "--json"]).output == "[]\n" })
        let gone = try await castsend(["pause"])
        #expect(gone.status == 3, "\(gone)")
        #expect(gone.errors.contains("“Living Room”, used last, is not there."))
    }

    @Test("of two receivers none is taken by chance, and watching shows them come and go")
    func severalAndWatched() async throws {
        let watch = try lan.start(
            "env", ["XDG_STATE_HOME=\(folder.path)", builtProgram("castsend"), "routes", "--watch"], on: 0)
        let first = try startReceiver("First")
        let second = try startReceiver("Second")
        #expect(
            await eventually(within: 20) {
                watch.output.contains("found    First") && watch.output.contains("found    Second")
            }, "\(watch.output)\(watch.errors)")
        let refused = try await castsend(["play", "http://192.0.2.1/film.mp4"])
        #expect(refused.status == 3)
        #expect(refused.errors.contains("There are 2 receivers here."))
        #expect(refused.errors.contains("First ") && refused.errors.contains("Second "))
        #expect(try await castsend(["status", "--to", "Second"]).output.hasPrefix("Second  "))
        for receiver in [first, second] {
            receiver.signal(SIGTERM)
            _ = await receiver.status(within: 10)
        }
        #expect(
            await eventually { watch.output.contains("gone     First") && watch.output.contains("gone     Second") })
        watch.signal(SIGINT)
        #expect(await watch.status() == 0)
    }
}
