import Foundation

/// A program run to its end by a test, with everything it printed.
public struct Run: Sendable {
    /// The exit code; 128 and the signal's number where a signal ended it.
    public var status: Int32
    /// What it wrote to standard output.
    public var output: String
    /// What it wrote to standard error.
    public var errors: String

    /// The end of a program and what it printed.
    public init(status: Int32, output: String, errors: String) {
        self.status = status
        self.output = output
        self.errors = errors
    }
}

/// What kept a test's program from doing its work.
public struct RunFailure: Error, CustomStringConvertible {
    /// What went wrong, with what the program said.
    public var description: String

    /// A failure in words.
    public init(description: String) { self.description = description }
}

/// Runs a program found on PATH to its end.
///
/// - Throws: `RunFailure` where it cannot be started, or ends with a status other than 0.
@discardableResult
public func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Run {
    let result = try runAny(program, arguments, environment: environment)
    guard result.status == 0 else {
        let line = ([program] + arguments).joined(separator: " ")
        throw RunFailure(description: "\(line)\nended with \(result.status):\n\(result.errors)\(result.output)")
    }
    return result
}

/// Runs a program found on PATH to its end, whatever its status.
public func runAny(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Files rather than pipes: nothing to drain, so a chatty program can never block.
    let folder = try TemporaryFolder()
    let output = folder.path + "/output"
    let errors = folder.path + "/errors"
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try emptyFile(output)
    process.standardError = try emptyFile(errors)
    try withAllSignals { try process.run() }
    process.waitUntilExit()
    let status =
        process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Run(
        status: status, output: String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self),
        errors: String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self))
}

/// Makes an empty file and opens it for writing.
func emptyFile(_ path: String) throws -> FileHandle {
    guard FileManager.default.createFile(atPath: path, contents: nil), let handle = FileHandle(forWritingAtPath: path)
    else { throw RunFailure(description: "\(path) cannot be written.") }
    return handle
}

/// Does something with no signal blocked in this thread. A program inherits the mask of the thread that starts it, and
/// the threads of tasks block nearly all: it would never see a SIGTERM.
func withAllSignals<Result>(_ body: () throws -> Result) rethrows -> Result {
    var none = sigset_t()
    var mask = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    return try body()
}
