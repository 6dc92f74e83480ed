import Foundation
import Synchronization

/// A program that runs beside a test until it is told to stop; stopped at the latest when the last reference is gone.
public final class Child: Sendable {
    /// The process id.
    public let id: Int32
    private let process: Mutex<Process>
    private let folder: TemporaryFolder

    /// Starts a program by its path, or by its name on PATH.
    public init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program.contains("/") ? program : try Self.find(program))
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try emptyFile(folder.path + "/output")
        process.standardError = try emptyFile(folder.path + "/errors")
        try withAllSignals { try process.run() }
        id = process.processIdentifier
        self.folder = folder
        self.process = Mutex(process)
    }

    deinit {
        process.withLock { process in
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// What it has written to standard output so far.
    public var output: String { read("output") }
    /// What it has written to standard error so far.
    public var errors: String { read("errors") }
    /// Whether it still runs.
    public var isRunning: Bool { process.withLock { $0.isRunning } }

    /// Sends it a signal.
    public func signal(_ number: Int32) {
        process.withLock { if $0.isRunning { kill($0.processIdentifier, number) } }
    }

    /// Waits for its end.
    ///
    /// - Returns: the exit code, 128 and the signal's number where a signal ended it, nil where it still runs after `seconds`.
    public func status(within seconds: Double = 10) async -> Int32? {
        guard await eventually(within: seconds, { !isRunning }) else { return nil }
        return process.withLock {
            $0.terminationReason == .exit ? $0.terminationStatus : 128 + $0.terminationStatus
        }
    }

    private func read(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: folder.path + "/" + name) ?? Data(), as: UTF8.self)
    }

    private static func find(_ program: String) throws -> String {
        for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":") {
            let path = "\(folder)/\(program)"
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw RunFailure(description: "There is no program \(program) on PATH.")
    }
}
