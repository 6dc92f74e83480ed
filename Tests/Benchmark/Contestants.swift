import Foundation
import TestSupport

/// A player that is measured.
protocol Contestant {
    var name: String { get }
    /// Asks for the clip to be played, as a person would, and returns at once.
    mutating func play(_ url: String) throws
    /// The process that decodes and shows.
    var playingProcess: Int32 { get }
    /// Ends playback and all that `play` started.
    mutating func stop() throws
}

/// castreceiver, started once and resident, asked by a new castsend each time.
struct Castway: Contestant {
    let name = "castway"
    private let folder: TemporaryFolder
    private let receiver: Child
    private let castsend: String
    private let environment: [String: String]
    private var sender: Child?

    init(stage: Stage, binaries: String) throws {
        folder = try TemporaryFolder()
        castsend = binaries + "/castsend"
        let port = String(20_000 + Int.random(in: 0..<20_000))
        environment = stage.environment.merging(
            ["XDG_STATE_HOME": folder.path, "CASTSEND_ROUTE": "127.0.0.1:\(port)"]) { $1 }
        receiver = try Child(
            binaries + "/castreceiver",
            ["--fullscreen", "--no-advertise", "--port", port, "--state-dir", folder.path + "/receiver"],
            environment: environment)
        // Ready when it answers.
        for _ in 0..<100 {
            if try runAny(castsend, ["status"], environment: environment).status == 0 { return }
            usleep(50_000)
        }
        throw RunFailure(description: "castreceiver did not come up:\n" + receiver.errors)
    }

    var playingProcess: Int32 { receiver.id }

    mutating func play(_ url: String) throws {
        sender = try Child(castsend, ["play", url], environment: environment)
    }

    mutating func stop() throws {
        try run(castsend, ["stop"], environment: environment)
        sender?.signal(SIGINT)
        sender = nil
    }
}

/// Another player, started anew for each clip.
struct Peer: Contestant {
    let name: String
    let program: String
    let arguments: [String]
    let environment: [String: String]
    private var child: Child?

    init(_ name: String, stage: Stage, program: String, arguments: [String]) {
        self.name = name
        self.program = program
        self.arguments = arguments
        environment = stage.environment
    }

    var playingProcess: Int32 { child?.id ?? 0 }

    mutating func play(_ url: String) throws {
        child = try Child(program, arguments + [url], environment: environment)
    }

    mutating func stop() throws {
        // The reference was the last: the process ends with it.
        child = nil
    }
}

/// castway first, then the peers.
func contestants(on stage: Stage, binaries: String) throws -> [any Contestant] {
    [
        try Castway(stage: stage, binaries: binaries),
        Peer(
            "mpv --vo=x11", stage: stage, program: "mpv",
            arguments: [
                "--no-config", "--ao=null", "--hwdec=no", "--fs", "--osd-level=0", "--really-quiet", "--vo=x11",
            ]),
        Peer("ffplay", stage: stage, program: "ffplay", arguments: ["-v", "error", "-nostats", "-fs", "-autoexit"]),
    ]
}
