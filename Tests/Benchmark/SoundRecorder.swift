import Casting
import Foundation
import Synchronization
import TestSupport

extension SoundSink {
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
