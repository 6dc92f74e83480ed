import Casting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Sender

/// castsend on a terminal: what is drawn, and what Ctrl-C asks.
@Suite struct TerminalTests {
    let receiver: TestReceiver
    let user: TestUser

    init() throws {
        receiver = try TestReceiver()
        user = try TestUser()
    }

    private func play(_ source: String, columns: UInt16 = 60) async throws -> TerminalChild {
        let play = try TerminalChild(user, ["play", source, "--to", receiver.address], columns: columns)
        #expect(await eventually { play.shown.contains("playing    0:0") })
        return play
    }

    @Test("the line is drawn again in place, and fits the terminal")
    func redraws() async throws {
        let play = try await play("http://192.0.2.1/film.mp4")
        _ = await eventually { play.shown.components(separatedBy: "\r").count > 3 }
        receiver.finishItem()
        #expect(await play.status() == 0)
        let drawn = play.shown.components(separatedBy: "\r").filter { $0.hasPrefix("playing") }
        #expect(drawn.count >= 1)
        #expect(drawn.allSatisfy { $0.replacingOccurrences(of: "\u{1b}[K", with: "").count < 60 })
        #expect(drawn[0].contains(" / 1:40"))
        #expect(play.shown.hasSuffix("\r\u{1b}[KIt has ended.\r\n"))
    }

    @Test("Ctrl-C asks; s stops, d leaves it playing", arguments: [("s", true), ("d", false)])
    func asks(_ key: String, _ stops: Bool) async throws {
        let play = try await play("http://192.0.2.1/film.mp4")
        play.signal(SIGINT)
        #expect(await eventually { play.shown.contains("Stop, detach or go on? [s/d/g] ") })
        play.type(key)
        #expect(await play.status() == 0)
        #expect(receiver.got { $0 == .stop } == stops)
        #expect(play.shown.contains(stops ? "Stopped. It was at 0:0" : "It goes on without castsend"))
        #expect(play.isCooked)
    }

    @Test("any other key goes on; Ctrl-C again stops at once")
    func goesOn() async throws {
        let play = try await play("http://192.0.2.1/film.mp4")
        play.signal(SIGINT)
        #expect(await eventually { play.shown.contains("go on?") && !play.isCooked })
        play.type("g")
        #expect(await eventually { play.isCooked })
        #expect(!receiver.got { $0 == .stop })
        play.signal(SIGINT)
        #expect(await eventually { play.shown.components(separatedBy: "go on?").count == 3 })
        play.signal(SIGINT)
        #expect(await play.status() == 0)
        #expect(receiver.got { $0 == .stop })
        #expect(play.isCooked)
    }

    @Test("what is served cannot be detached from")
    func served() async throws {
        let file = user.folder.path + "/film.mp4"
        try Data("film".utf8).write(to: URL(fileURLWithPath: file))
        let play = try await play(file)
        play.signal(SIGINT)
        #expect(await eventually { play.shown.contains("Stop or go on? [s/g] ") })
        play.type("d")
        #expect(await eventually { play.isCooked })
        play.signal(SIGTERM)
        #expect(await play.status() == 0)
        #expect(receiver.got { $0 == .stop })
    }
}

/// castsend with a terminal of its own.
private final class TerminalChild: Sendable {
    private let process: Mutex<Process>
    private let master: Int32
    private let slave: FileHandle
    private let output = Mutex(Data())

    init(_ user: TestUser, _ arguments: [String], columns: UInt16) throws {
        // Linux's own calls: the portable ones are not to be had from Swift.
        let (unlock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (isLocked, number) = (Int32(0), Int32(0))
        guard master >= 0, ioctl(master, unlock, &isLocked) == 0, ioctl(master, getNumber, &number) == 0 else {
            throw RunFailure(description: "no pseudo-terminal")
        }
        let name = "/dev/pts/\(number)"
        let descriptor = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        slave = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: TestUser.program)
        process.arguments = arguments
        process.environment = [
            "XDG_STATE_HOME": user.folder.path, "TERM": "xterm", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
        ]
        process.standardInput = slave
        process.standardOutput = slave
        process.standardError = slave
        try process.run()
        self.process = Mutex(process)
    }

    deinit {
        process.withLock {
            if $0.isRunning { kill($0.processIdentifier, SIGKILL) }
            $0.waitUntilExit()
        }
        close(master)
    }

    /// Everything it has written so far.
    var shown: String {
        output.withLock { output in
            var bytes = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = read(master, &bytes, bytes.count)
                guard count > 0 else { break }
                output.append(contentsOf: bytes[..<count])
            }
            return String(decoding: output, as: UTF8.self)
        }
    }

    /// Whether the terminal gives whole lines and shows what is typed, as it did before.
    var isCooked: Bool {
        var settings = termios()
        tcgetattr(slave.fileDescriptor, &settings)
        return settings.c_lflag & UInt32(ICANON | ECHO) == UInt32(ICANON | ECHO)
    }

    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    func signal(_ number: Int32) { process.withLock { _ = kill($0.processIdentifier, number) } }

    func status() async -> Int32? {
        guard await eventually(within: 15, { !process.withLock { $0.isRunning } }) else { return nil }
        return process.withLock { $0.terminationReason == .exit ? $0.terminationStatus : 128 + $0.terminationStatus }
    }
}
