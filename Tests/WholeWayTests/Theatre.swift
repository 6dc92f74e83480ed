import Casting
import Foundation
import Sender
import TestSupport

/// The whole of castway for one test: a castreceiver with a screen in memory, a castsend that knows it, clips on a server.
///
/// Everything is the test's own and gone with it: state, port, sound file.
final class Theatre: Sendable {
    /// The receiver, running.
    let receiver: Child
    /// Where the receiver listens: `127.0.0.1:PORT`.
    let route: String
    /// What the sound device was given: 32-bit float, two channels, 48,000 samples a second.
    var sound: String { folder.path + "/sound.raw" }
    /// Where the receiver keeps its state.
    var receiverState: String { folder.path + "/receiver" }
    /// A folder for whatever the test needs.
    let folder: TemporaryFolder

    /// The folder of the programs under test: beside the test's own.
    static let programs = packageRoot + "/.build/debug"
    static let castreceiver = programs + "/castreceiver"
    static let castsend = programs + "/castsend"

    /// The leave to be open, shared with the houses that came before in the same place.
    private let leave: Admission.Leave

    /// Opens the house and waits until the receiver listens. Few are open at a time, so that each has the machine it needs.
    ///
    /// - Parameter before: the house whose folder, and so state, this one takes over; that one's receiver has ended.
    init(
        _ arguments: [String] = [], port: Int = 0, environment: [String: String] = [:], after before: Theatre? = nil
    ) async throws {
        if let before { leave = before.leave } else { leave = await Admission.shared.enter() }
        let folder = try before?.folder ?? TemporaryFolder()
        self.folder = folder
        receiver = try Child(
            Self.castreceiver,
            ["--window", "640x360", "--no-advertise", "--port", "\(port)", "--state-dir", folder.path + "/receiver"]
                + arguments,
            environment: [
                "SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "disk",
                "SDL_DISKAUDIOFILE": folder.path + "/sound.raw",
                "DISPLAY": "", "HOME": folder.path,
            ].merging(environment) { $1 })
        let receiver = self.receiver
        guard await eventually(within: 20, { listeningPort(in: receiver.errors) != nil || !receiver.isRunning }),
            let port = listeningPort(in: receiver.errors)
        else { throw RunFailure(description: "castreceiver did not start:\n" + receiver.errors) }
        route = "127.0.0.1:\(port)"
    }

    /// Environment of a castsend that belongs to this house.
    var senderEnvironment: [String: String] {
        ["XDG_STATE_HOME": folder.path + "/sender", "CASTSEND_ROUTE": route, "HOME": folder.path]
    }

    /// Runs castsend to its end, on a thread of its own: the clips' server needs those of tasks.
    func castsend(_ arguments: String...) async throws -> Run {
        let environment = senderEnvironment
        return try await onOwnThread { try runAny(Self.castsend, arguments, environment: environment) }
    }

    /// Starts castsend and lets it run.
    func startCastsend(_ arguments: String...) throws -> Child {
        try Child(Self.castsend, arguments, environment: senderEnvironment)
    }

    /// The state document, as `castsend status --json` prints it; that of an idle player before there is a session.
    func state() async throws -> PlaybackState {
        let run = try await castsend("status", "--json")
        guard run.status == 0 else { throw RunFailure(description: "castsend status: \(run.errors)") }
        return try JSONDecoder().decode(StatusDocument.self, from: Data(run.output.utf8)).playback ?? PlaybackState()
    }

    /// A picture of the screen.
    func screenshot() async throws -> Screenshot {
        let file = folder.path + "/\(UUID().uuidString).png"
        let run = try await castsend("screenshot", "--output", file)
        guard run.status == 0 else { throw RunFailure(description: "castsend screenshot: \(run.errors)") }
        return try await onOwnThread { try Screenshot(png: file) }
    }

    /// The number of the clip's picture that is on the screen; nil where there is none.
    func frameNumber() async throws -> Int? { try await screenshot().frameNumber }
}

/// The API itself, without castsend between.
extension Theatre {
    /// The receiver's port.
    var port: Int { Int(route.split(separator: ":").last ?? "") ?? 0 }

    /// The receiver, as senders use it.
    var client: ReceiverClient { ReceiverClient(Endpoint(host: "127.0.0.1", port: port)) }

    /// What castsend keeps of itself.
    var senderState: SenderState { SenderStateStore(folder: folder.path + "/sender/castway").read() }

    /// The session that castsend opened, to look at and steer without starting a program each time.
    func castsendSession() throws -> SessionClient {
        guard let key = senderState.lastUsed?.session else { throw RunFailure(description: "castsend has no session") }
        return client.session(key)
    }

    /// A session of the test's own.
    func openSession() async throws -> SessionClient {
        let sender = SenderIdentity(id: "test", name: "Test")
        let grant = try await client.openSession(SessionRequest(sender: sender, takeover: .always))
        return client.session(SessionKey(id: grant.id, token: grant.token))
    }

    /// A picture of the screen, by a session of the test's own.
    func screenshot(_ session: SessionClient) async throws -> Screenshot {
        let file = folder.path + "/\(UUID().uuidString).png"
        try await session.screenshot().write(to: URL(fileURLWithPath: file))
        return try await onOwnThread { try Screenshot(png: file) }
    }

    /// Waits until castsend's session is in a state.
    func eventuallyState(within seconds: Double = 10, _ holds: (PlaybackState) -> Bool) async throws -> Bool {
        await eventually(within: seconds) {
            guard let session = try? castsendSession(), let state = try? await session.playback() else { return false }
            return holds(state)
        }
    }
}

/// What `castsend status --json` prints, as far as the tests look.
private struct StatusDocument: Decodable {
    var playback: PlaybackState?
}

/// The port that a receiver's log says it listens on.
func listeningPort(in log: String) -> Int? {
    for line in log.split(separator: "\n") {
        guard let range = line.range(of: "listening on port ") else { continue }
        return Int(line[range.upperBound...].prefix { $0.isNumber })
    }
    return nil
}
