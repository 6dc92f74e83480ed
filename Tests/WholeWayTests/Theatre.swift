import Casting
import Foundation
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

    /// Opens the house and waits until the receiver listens.
    init(arguments: [String] = [], environment: [String: String] = [:], folder existing: TemporaryFolder? = nil)
        async throws
    {
        let folder = try existing ?? TemporaryFolder()
        self.folder = folder
        receiver = try Child(
            Self.castreceiver,
            ["--window", "640x360", "--no-advertise", "--port", "0", "--state-dir", folder.path + "/receiver"]
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

    /// Runs castsend to its end.
    func castsend(_ arguments: String...) throws -> Run {
        try runAny(Self.castsend, arguments, environment: senderEnvironment)
    }

    /// Starts castsend and lets it run.
    func startCastsend(_ arguments: String...) throws -> Child {
        try Child(Self.castsend, arguments, environment: senderEnvironment)
    }

    /// The state document, as `castsend status --json` prints it; that of an idle player before there is a session.
    func state() throws -> PlaybackState {
        let run = try castsend("status", "--json")
        guard run.status == 0 else { throw RunFailure(description: "castsend status: \(run.errors)") }
        return try JSONDecoder().decode(StatusDocument.self, from: Data(run.output.utf8)).playback ?? PlaybackState()
    }

    /// A picture of the screen, as gray pixels.
    func screenshot() throws -> Screenshot {
        let file = folder.path + "/\(UUID().uuidString).png"
        let run = try castsend("screenshot", "--output", file)
        guard run.status == 0 else { throw RunFailure(description: "castsend screenshot: \(run.errors)") }
        return try Screenshot(png: file)
    }

    /// The number of the clip's picture that is on the screen; nil where there is none.
    func frameNumber() throws -> Int? { try screenshot().frameNumber }
}

/// What `castsend status --json` prints, as far as the tests look.
private struct StatusDocument: Decodable {
    var playback: PlaybackState?
}

/// What was on a screen.
struct Screenshot {
    let width: Int
    let height: Int
    private let luma: Data

    /// Reads a PNG file with ffmpeg.
    init(png path: String) throws {
        let raw = path + ".gray"
        try run("ffmpeg", ["-v", "error", "-y", "-i", path, "-pix_fmt", "gray", "-f", "rawvideo", raw])
        let size = try run(
            "ffprobe", ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path]
        ).output.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        (width, height) = (size[0], size[1])
        luma = try Data(contentsOf: URL(fileURLWithPath: raw))
    }

    /// Brightness of a pixel, 0 to 255.
    subscript(x: Int, y: Int) -> Int { Int(luma[luma.startIndex + y * width + x]) }

    /// The number a clip's picture carries, shown at its own size from the top left; nil where there is none.
    var frameNumber: Int? { FrameCode.read { self[$0, $1] } }
}

/// The port that a receiver's log says it listens on.
func listeningPort(in log: String) -> Int? {
    for line in log.split(separator: "\n") {
        guard let range = line.range(of: "listening on port ") else { continue }
        return Int(line[range.upperBound...].prefix { $0.isNumber })
    }
    return nil
}
