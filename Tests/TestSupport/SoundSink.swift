import Foundation

/// A sound card that nobody hears: a PulseAudio of its own with one null sink.
public final class SoundSink: Sendable {
    /// For `PULSE_SERVER`.
    public let server: String
    /// For `PULSE_SINK`.
    public let name = "null"
    private let folder: TemporaryFolder
    /// PulseAudio keeps its own folder to itself, and who runs as somebody else could not reach a socket there.
    private let socketFolder: TemporaryFolder
    private let daemon: Child

    /// Starts it.
    /// - Parameter format: the samples it takes, in PulseAudio's words.
    public init(format: String = "s16le") async throws {
        folder = try TemporaryFolder()
        socketFolder = try TemporaryFolder()
        let socket = socketFolder.path + "/pulse.socket"
        server = "unix:" + socket
        let environment = ["PULSE_RUNTIME_PATH": folder.path, "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
        // A shell between, and the daemon bound to its life: the daemon closes every file that it was given, and
        // Foundation takes that for its end.
        let words = ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1"]
        // norewinds: without it an idle null sink renders up to 2 s of silence ahead, and what starts then is heard late.
        let modules = [
            "module-null-sink sink_name=\(name) format=\(format) rate=48000 channels=2 norewinds=1",
            "module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
        ]
        daemon = try Child(
            "sh", ["-c", "setpriv --pdeathsig KILL \"$@\"; exit $?", "sh"] + words + modules.flatMap { ["-L", $0] },
            environment: environment)
        let (server, daemon) = (server, daemon)
        guard
            await eventually(
                within: 10, { (try? runAny("pactl", ["info"], environment: ["PULSE_SERVER": server]).status) == 0 })
        else { throw RunFailure(description: "PulseAudio did not start:\n" + daemon.errors) }
    }
}
