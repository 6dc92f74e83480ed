import Casting
import Foundation
import Synchronization
import TestSupport

/// A sound card that nobody hears: a PulseAudio of its own with one null sink.
final class SoundSink: Sendable {
    /// For `PULSE_SERVER`.
    let server: String
    /// For `PULSE_SINK`.
    let name = "null"
    private let folder: TemporaryFolder
    /// PulseAudio keeps its own folder to itself, and who runs as somebody else could not reach a socket there.
    private let socketFolder: TemporaryFolder
    private let daemon: Child

    init() async throws {
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
            "module-null-sink sink_name=\(name) rate=48000 channels=2 norewinds=1",
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

    /// Begins to listen.
    func record() throws -> SoundRecorder { try SoundRecorder(sink: self) }
}

/// Listens to a sound card and notes when tones begin.
final class SoundRecorder: Sendable {
    fileprivate struct State {
        var count = 0
        var onsets: [Int] = []
        var lastLoud = -SoundRecorder.rate
        /// When sample 0 was played: the earliest that any delivery allows, as deliveries are only ever late.
        var origin = Double.infinity
    }
    private final class Tape: Sendable {
        let state = Mutex(State())
    }

    fileprivate static let rate = 48_000
    private let tape = Tape()
    private let process: Mutex<Process>

    fileprivate init(sink: SoundSink) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "parec", "--raw", "--device=\(sink.name).monitor", "--format=s16le", "--rate=\(Self.rate)",
            "--channels=1", "--latency-msec=5",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(["PULSE_SERVER": sink.server]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        self.process = Mutex(process)
        let tape = tape
        Thread.detachNewThread {
            var buffer = [Int16](repeating: 0, count: 4_800)
            while true {
                let size = read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count * 2)
                guard size > 0 else { return }
                tape.state.withLock { $0.take(buffer.prefix(size / 2), at: .now) }
            }
        }
    }

    deinit {
        process.withLock { process in
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// When tones began that followed on at least a fifth of a second of silence.
    var tones: [HostTime] {
        tape.state.withLock { state in
            state.onsets.map { HostTime(seconds: state.origin + Double($0) / Double(Self.rate)) }
        }
    }
}

extension SoundRecorder.State {
    fileprivate mutating func take(_ samples: ArraySlice<Int16>, at time: HostTime) {
        for sample in samples {
            if abs(Int(sample)) > 3_000 {
                if count - lastLoud > SoundRecorder.rate / 5 { onsets.append(count) }
                lastLoud = count
            }
            count += 1
        }
        origin = min(origin, time.seconds - Double(count) / Double(SoundRecorder.rate))
    }
}
