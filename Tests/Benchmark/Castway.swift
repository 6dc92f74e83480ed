import Casting
import Foundation
import Sender
import Synchronization
import TestSupport

/// castreceiver, resident, asked over its API.
final class Castway: Contestant {
    let name = "castway"
    let stage: Stage
    private let folder: TemporaryFolder
    private let receiver: Child
    private let session: SessionClient
    fileprivate let port: Int

    init(stage: Stage, binaries: String) async throws {
        self.stage = stage
        folder = try TemporaryFolder()
        let child = try Child(
            binaries + "/castreceiver",
            ["--fullscreen", "--no-advertise", "--port", "0", "--state-dir", folder.path + "/receiver"],
            environment: stage.environment)
        receiver = child
        var port = 0
        guard
            await eventually(
                within: 20,
                {
                    port = Self.port(in: child.errors) ?? 0
                    return port != 0 || !child.isRunning
                }), port != 0
        else { throw RunFailure(description: "castreceiver did not start:\n" + child.errors) }
        self.port = port
        let client = ReceiverClient(Endpoint(host: "127.0.0.1", port: port))
        let grant = try await client.openSession(
            SessionRequest(sender: SenderIdentity(id: "benchmark", name: "Benchmark"), takeover: .always))
        session = client.session(SessionKey(id: grant.id, token: grant.token))
    }

    private static func port(in log: String) -> Int? {
        log.firstRange(of: "listening on port ").flatMap { Int(log[$0.upperBound...].prefix { $0.isNumber }) }
    }

    var process: Int32? { receiver.id }
    func play(_ url: String) async throws { try await session.load(MediaItem(url: url)) }
    func pause() async throws { try await session.pause() }
    func seek(to position: Double) async throws { _ = try await session.seek(SeekRequest(position: position)) }
    func stop() async throws { try await session.stop() }
}

/// castreceiver, resident, asked by a new castsend each time.
final class CastwayBySender: Contestant {
    let name = "castway"
    private let receiver: Castway
    private let castsend: String
    private let folder: TemporaryFolder
    private let sender = Mutex<Child?>(nil)

    init(receiver: Castway, binaries: String) throws {
        self.receiver = receiver
        castsend = binaries + "/castsend"
        folder = try TemporaryFolder()
    }

    private var environment: [String: String] {
        ["XDG_STATE_HOME": folder.path, "CASTSEND_ROUTE": "127.0.0.1:\(receiver.port)"]
    }

    var stage: Stage { receiver.stage }
    var process: Int32? { receiver.process }

    func play(_ url: String) async throws {
        let child = try Child(castsend, ["play", url, "--takeover", "always"], environment: environment)
        sender.withLock { $0 = child }
    }

    func stop() async throws {
        try run(castsend, ["stop"], environment: environment)
        sender.withLock { $0 = nil }
    }
}
