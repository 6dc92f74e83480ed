import Casting
import Foundation
import HTTP
import Receiver
import ReceiverAPI
import TestSupport

@testable import Sender

/// A receiver that plays nothing, on loopback: the real API in front of a player that only keeps the books.
final class TestReceiver: Sendable {
    let player = FakePlayer()
    let receiver: Receiver
    let id: String
    private let server: HTTPServer

    /// Begins to listen.
    init(id: String = UUID().uuidString.lowercased(), name: String = "Test TV", port: Int = 0) throws {
        self.id = id
        let capabilities = ReceiverInfo.Capabilities(
            protocols: ["http", "https"], containers: [], videoCodecs: [], audioCodecs: [], screenSize: nil,
            rates: TimeRange(start: 0.5, end: 2))
        let receiver = Receiver(playback: player, settings: .init(id: id, name: name, capabilities: capabilities))
        self.receiver = receiver
        let api = ReceiverAPI(receiver: receiver, hostPolicy: HostPolicy()) { () throws(CastError) in
            throw CastError(.outputUnavailable, "There is no screen.")
        }
        server = HTTPServer(errorResponse: { ReceiverAPI.errorResponse(status: $0) }) { await api.handler($0) }
        try server.start(port: port, on: .loopback)
    }

    /// Begins to listen on a port that was somebody else's a moment ago.
    static func replacing(_ id: String, name: String = "Test TV", port: Int) async throws -> TestReceiver {
        var receiver: TestReceiver?
        _ = await eventually(within: 3) {
            receiver = try? TestReceiver(id: id, name: name, port: port)
            return receiver != nil
        }
        guard let receiver else { throw RunFailure(description: "port \(port) is not free again") }
        return receiver
    }

    deinit { server.stop() }

    var port: Int { server.port }
    var address: String { "127.0.0.1:\(server.port)" }
    var endpoint: Endpoint { Endpoint(host: "127.0.0.1", port: server.port) }

    /// The receiver is gone, without a word.
    func vanish() { server.stop() }

    /// Whether the player has got such a command.
    func got(_ matches: (Command) -> Bool) -> Bool { player.commands.contains(where: matches) }

    /// The items that were loaded.
    var loads: [MediaItem] {
        player.commands.compactMap { if case .load(let item) = $0 { item } else { nil } }
    }

    /// Plays the current item to its end: idle, then.
    func finishItem() {
        guard let id = player.state.item?.id else { return }
        player.tell(.ended(itemID: id))
        player.change {
            $0.item = nil
            $0.queue = []
            $0.timeControlStatus = .paused
            $0.rate = 0
        }
    }

    /// A session of another sender's.
    func openSession(_ name: String, takeover: Takeover = .ifIdle) async throws -> SessionGrant {
        try await receiver.open(
            SessionRequest(sender: SenderIdentity(id: name, name: name), takeover: takeover))
    }
}

/// A user with a state folder of their own, who runs the real castsend.
final class TestUser: Sendable {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The program beside the tests that are running.
    static let program = builtProgram("castsend")

    /// Starts castsend. There is no Avahi where it looks.
    func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Child {
        let own = [
            "XDG_STATE_HOME": folder.path, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent", "CASTSEND_ROUTE": "",
        ]
        return try Child(Self.program, arguments, environment: own.merging(environment) { $1 })
    }

    /// Runs castsend to its end.
    func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Run {
        let child = try start(arguments, environment: environment)
        let status = await child.status(within: 20)
        return Run(status: status ?? -1, output: child.output, errors: child.errors)
    }

    /// The state the program has kept.
    var state: SenderState { SenderStateStore(folder: folder.path + "/castway").read() }
}

/// The JSON documents in a program's output, one a line.
func documents(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").map { line in
        guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
            throw RunFailure(description: "no object: \(line)")
        }
        return object
    }
}
