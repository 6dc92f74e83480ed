import Casting
import Foundation
import TestSupport

/// A home for one test: a network of its own with a laptop, where castsend runs, and a box behind the TV, where
/// castreceiver does, each with its own Avahi daemon.
///
/// Everything is gone with it, also what was killed or hangs.
final class Home: Sendable {
    /// The laptop, as a machine of the network.
    static let laptop = 0
    /// The box behind the TV.
    static let box = 1
    /// The box's address.
    static let boxAddress = "10.77.0.2"

    let lan: NamespaceLAN
    /// A folder for whatever the test needs.
    let folder: TemporaryFolder

    /// A home without receivers yet; `avahi`: with daemons that are up.
    init(avahi: Bool = true) async throws {
        folder = try TemporaryFolder()
        lan = try await NamespaceLAN(machines: 2, avahi: avahi)
    }

    private var receiverEnvironment: [String: String] {
        ["SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy", "DISPLAY": "", "HOME": folder.path]
    }

    /// Starts castreceiver on the box, and waits until it listens.
    ///
    /// - Parameter state: names its state: the same receiver has the same.
    func startReceiver(_ name: String = "Living Room", state: String = "receiver", port: Int = Endpoint.defaultPort)
        async throws -> Child
    {
        let receiver = try lan.start(
            Theatre.castreceiver,
            ["--name", name, "--window", "640x360", "--port", "\(port)", "--state-dir", folder.path + "/" + state],
            environment: receiverEnvironment, on: Self.box)
        guard await eventually(within: 20, { listeningPort(in: receiver.errors) != nil }) else {
            throw RunFailure(description: "castreceiver did not start:\n" + receiver.errors)
        }
        return receiver
    }

    /// Starts castreceiver on the box, and waits until it says that it is announced, by whatever name.
    func startAnnounced(_ name: String = "Living Room", state: String = "receiver", port: Int = Endpoint.defaultPort)
        async throws -> Child
    {
        let receiver = try await startReceiver(name, state: state, port: port)
        guard await eventually(within: 20, { !announcements(in: receiver.errors).isEmpty }) else {
            throw RunFailure(description: "castreceiver is not announced:\n" + receiver.errors)
        }
        return receiver
    }

    /// Runs `castreceiver check` on the box, with the state of a receiver.
    func check(state: String = "receiver") async throws -> Run {
        try await onOwnThread { [self] in
            try lan.run(
                Theatre.castreceiver, ["check", "--name", "Living Room", "--state-dir", folder.path + "/" + state],
                environment: receiverEnvironment, on: Self.box)
        }
    }

    private func senderEnvironment(_ user: String) -> [String: String] {
        ["XDG_STATE_HOME": folder.path + "/" + user, "HOME": folder.path, "CASTSEND_ROUTE": "", "LC_ALL": "C.UTF-8"]
    }

    /// Runs castsend on the laptop to its end.
    ///
    /// - Parameter user: whose memory of receivers and sessions it has.
    func castsend(_ words: String..., user: String = "anna") async throws -> Run {
        try await castsend(words, user: user)
    }

    /// Runs castsend on the laptop to its end.
    func castsend(_ words: [String], user: String = "anna") async throws -> Run {
        try await onOwnThread { [self] in
            try lan.run(Theatre.castsend, words, environment: senderEnvironment(user), on: Self.laptop)
        }
    }

    /// Starts castsend on the laptop and lets it run.
    func startCastsend(_ words: String..., user: String = "anna") throws -> Child {
        try lan.start(Theatre.castsend, words, environment: senderEnvironment(user), on: Self.laptop)
    }

    /// The routes as `castsend routes --json` prints them, once they are as wanted; what there is after 20 s otherwise.
    func routes(when isWanted: ([Route]) -> Bool) async throws -> [Route] {
        var routes: [Route] = []
        _ = try await eventually(within: 20) {
            let run = try await castsend("routes", "--json", "--wait", "0.5")
            routes = (try? JSONDecoder().decode([Route].self, from: Data(run.output.utf8))) ?? []
            return isWanted(routes)
        }
        return routes
    }

    /// Whether the routes come to be as wanted within 20 s.
    func sees(_ isWanted: ([Route]) -> Bool) async throws -> Bool { isWanted(try await routes(when: isWanted)) }

    /// The state document of what the laptop plays, by `castsend status`.
    func state() async throws -> PlaybackState {
        let run = try await castsend("status", "--json")
        guard run.status == 0 else { throw RunFailure(description: "castsend status: \(run.errors)") }
        return try JSONDecoder().decode(Status.self, from: Data(run.output.utf8)).playback ?? PlaybackState()
    }

    /// The number of the clip's picture that is on the screen; nil where there is none.
    func frameNumber() async throws -> Int? {
        let file = folder.path + "/\(UUID().uuidString).png"
        let run = try await castsend("screenshot", "--output", file)
        guard run.status == 0 else { throw RunFailure(description: "castsend screenshot: \(run.errors)") }
        return try Screenshot(png: file).frameNumber
    }
}

private struct Status: Decodable {
    var playback: PlaybackState?
}

/// The names under which a receiver's log says it was announced, in order.
func announcements(in log: String) -> [String] {
    log.split(separator: "\n").compactMap { line in
        line.range(of: "announced on the network as ").map { String(line[$0.upperBound...]) }
    }
}
