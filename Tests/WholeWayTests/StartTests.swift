import Casting
import Foundation
import Sender
import TestSupport
import Testing

/// What the receiver says when it cannot start as told.
struct StartTests {
    private func start(_ arguments: [String]) async throws -> Run {
        try await onOwnThread {
            try runAny(
                Theatre.castreceiver, arguments,
                environment: ["SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy", "DISPLAY": ""])
        }
    }

    @Test("the version is the program's name and a number, as packaging reads it")
    func version() async throws {
        #expect(try await start(["--version"]).output == "castreceiver \(Castway.version)\n")
    }

    @Test("a second receiver with the same state is refused, and the first goes on")
    func second() async throws {
        let theatre = try await Theatre()
        let second = try await start(["--no-advertise", "--port", "0", "--state-dir", theatre.receiverState])
        #expect(second.status == 1)
        #expect(second.errors.contains("already running"), "\(second.errors)")
        #expect(second.errors.contains("\(theatre.receiver.id)"), "which process is not said: \(second.errors)")
        #expect(try await theatre.client.receiver().availability == .idle)
    }

    @Test("where the port is taken the next free one is used, and the log says so")
    func port() async throws {
        let first = try await Theatre()
        let folder = try TemporaryFolder()
        let second = try Child(
            Theatre.castreceiver,
            ["--window", "640x360", "--no-advertise", "--port", "\(first.port)", "--state-dir", folder.path],
            environment: ["SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy", "DISPLAY": ""])
        #expect(await eventually(within: 20) { listeningPort(in: second.errors) != nil })
        let port = try #require(listeningPort(in: second.errors))
        #expect((first.port + 1...first.port + 20).contains(port))
        #expect(second.errors.contains("port \(first.port) is taken"), "\(second.errors)")
        second.signal(SIGTERM)
        #expect(await second.status() == 0)
    }

    @Test(
        "a configuration that cannot be is refused with file, key and reason",
        arguments: [
            ("{ volum: 1 }", ["volum"]), ("{ audio: { volume: 3 } }", ["audio.volume", "0", "1"]),
            ("{ port: \"many\" }", ["port"]), ("{ screen: { window: { width: 10, height: 90 } } }", ["screen.window"]),
            ("{ port: 1, ", ["line 1"]), ("[]", []), ("{ logLevel: \"loud\" }", ["logLevel", "debug"]),
        ])
    func configuration(_ content: String, _ words: [String]) async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/tv.json5"
        try content.write(toFile: file, atomically: true, encoding: .utf8)
        let run = try await start(["--config", file, "--no-advertise"])
        #expect(run.status == 2)
        for word in [file] + words { #expect(run.errors.contains(word), "\(word): \(run.errors)") }
    }

    @Test(
        "a command line that cannot be is refused with what was meant",
        arguments: [
            (["--nmae", "TV"], "--name"), (["--port", "99999"], "--port"), (["--window", "wide"], "--window"),
            (["--config", "/no/such/file.json5"], "/no/such/file.json5"), (["chekc"], "check"),
        ])
    func commandLine(_ arguments: [String], _ word: String) async throws {
        let run = try await start(arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains(word), "\(run.errors)")
    }
}
