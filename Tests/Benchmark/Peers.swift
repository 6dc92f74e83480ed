import Foundation
import Synchronization
import TestSupport

/// Another player, by its command line and how it is spoken to.
struct PeerKind: Sendable {
    var name: String
    /// Program and options; a clip's URL follows.
    var command: [String]
    /// Options that make it stay and wait for clips.
    var resident: [String]
    /// The option that takes its control socket's path, with what goes before the path; nil where it has none.
    var socketOption: String?
    /// Lines for its control socket.
    var load: @Sendable (String) -> String = { $0 }
    var seek: @Sendable (Double) -> String = { "\($0)" }
    var pause = "pause"
    var stop = "stop"
    /// Whether it refuses to run as root.
    var refusesRoot = false

    static let mpv = PeerKind(
        name: "mpv",
        command: [
            "mpv", "--no-config", "--ao=pulse", "--hwdec=no", "--fs", "--no-osc", "--osd-level=0",
            "--msg-level=all=error", "--vo=x11",
        ], resident: ["--idle=yes", "--force-window=yes"], socketOption: "--input-ipc-server=",
        load: { #"{"command":["loadfile","\#($0)"]}"# },
        seek: { #"{"command":["seek",\#($0),"absolute+exact"]}"# },
        pause: #"{"command":["set_property","pause",true]}"#,
        stop: #"{"command":["stop"]}"#)

    static let vlc = PeerKind(
        name: "VLC",
        command: [
            "vlc", "-I", "oldrc", "--rc-fake-tty", "--no-video-title-show", "--no-osd", "--fullscreen",
            "--avcodec-hw=none", "-V",
            "xcb_x11", "-A", "pulse", "-q",
        ], resident: [], socketOption: "--rc-unix=", load: { "add \($0)" },
        // It takes whole seconds only.
        seek: { "seek \(Int($0))" }, refusesRoot: true)

    static let ffplay = PeerKind(
        name: "ffplay", command: ["ffplay", "-v", "error", "-nostats", "-fs", "-autoexit"], resident: [],
        socketOption: nil)
}

/// Another player, started once and resident, or anew for each clip.
final class Peer: Contestant {
    let stage: Stage
    let name: String
    private let kind: PeerKind
    private let start: Start
    private let folder: TemporaryFolder
    private struct State {
        var child: Child?
        var socket: ControlSocket?
        var count = 0
    }
    private let state = Mutex(State())

    init(_ kind: PeerKind, _ start: Start, stage: Stage) async throws {
        (self.kind, self.start, self.stage) = (kind, start, stage)
        name = kind.name
        folder = try TemporaryFolder()
        if isSomebodyElse { chown(folder.path, 65534, 65534) }
        if start == .warm {
            try launch(kind.resident)
            try await openSocket()
            // Until its window is there, where it opens one.
            try await Task.sleep(for: .seconds(1.5))
        }
    }

    private var isSomebodyElse: Bool { kind.refusesRoot && getuid() == 0 }

    private var socketPath: String { folder.path + "/control\(state.withLock { $0.count })" }

    private func launch(_ more: [String]) throws {
        state.withLock { $0.count += 1 }
        var words = kind.command + (kind.socketOption.map { [$0 + socketPath] } ?? []) + more
        if isSomebodyElse { words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + words }
        let environment = stage.environment.merging(["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]) { $1 }
        let child = try Child(words[0], Array(words.dropFirst()), environment: environment)
        state.withLock { $0.child = child }
    }

    private func openSocket() async throws {
        guard kind.socketOption != nil, state.withLock({ $0.socket == nil }) else { return }
        guard let socket = try? await ControlSocket(path: socketPath) else {
            let said = state.withLock { $0.child.map { $0.errors + $0.output } ?? "" }
            throw RunFailure(description: "\(name) cannot be spoken to. It said:\n\(said)")
        }
        state.withLock { $0.socket = socket }
    }

    private func send(_ line: String) async throws {
        try await openSocket()
        try state.withLock { try $0.socket?.send(line) }
    }

    var process: Int32? { state.withLock { $0.child?.id } }

    func play(_ url: String) async throws {
        if start == .warm { try await send(kind.load(url)) } else { try launch([url]) }
    }

    func pause() async throws {
        if kind.socketOption == nil {
            try run("xdotool", ["key", "p"], environment: ["DISPLAY": stage.display])
        } else {
            try await send(kind.pause)
        }
    }

    func seek(to position: Double) async throws { try await send(kind.seek(position)) }

    func stop() async throws {
        if start == .warm {
            try await send(kind.stop)
        } else {
            // The references are the last: the process ends with them.
            state.withLock { ($0.child, $0.socket) = (nil, nil) }
        }
    }
}
