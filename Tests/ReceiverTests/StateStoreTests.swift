import Casting
import Foundation
import Receiver
import Synchronization
import TestSupport
import Testing

/// Keeps the lines of a log.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    var log: Log { Log(level: .debug) { [self] line in lines.withLock { $0.append(line) } } }
}

@Suite struct StateStoreTests {
    private let folder: TemporaryFolder
    private var directory: String { folder.path + "/a/state" }

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test("the identity is made at the first start and kept, for nobody else to read")
    func identity() throws {
        let first = try StateStore(directory: directory, log: .silent).identity
        #expect(UUID(uuidString: first) != nil)
        #expect(try mode(directory) == 0o700)
        #expect(try mode(directory + "/identity.json") == 0o600)
        #expect(try StateStore(directory: directory, log: .silent).identity == first)
    }

    @Test("a second instance on the same folder is refused, and let in once the first is gone")
    func lock() throws {
        var first: StateStore? = try StateStore(directory: directory, log: .silent)
        let identity = first?.identity
        let error = try #require(throws: CastError.self) { try StateStore(directory: directory, log: .silent) }
        #expect(error.code == .alreadyRunning)
        #expect(error.message.contains(directory))
        #expect(error.hint?.contains("\(ProcessInfo.processInfo.processIdentifier)") == true)
        first = nil
        #expect(try StateStore(directory: directory, log: .silent).identity == identity)
    }

    @Test(
        "a damaged identity gives way to a new one, with a warning",
        arguments: ["", "{", "{\"id\":\"x\"}", "\u{0}\u{1}"])
    func damaged(_ text: String) throws {
        let old = try StateStore(directory: directory, log: .silent).identity
        try text.write(toFile: directory + "/identity.json", atomically: true, encoding: .utf8)
        let lines = LogLines()
        let new = try StateStore(directory: directory, log: lines.log).identity
        #expect(new != old)
        #expect(lines.all.contains { $0.contains("warning") && $0.contains("new identity") })
        #expect(FileManager.default.fileExists(atPath: directory + "/identity.json.damaged"))
        #expect(try StateStore(directory: directory, log: .silent).identity == new)
    }

    @Test("a position is kept without the item's headers, and forgotten on demand")
    func position() throws {
        let store = try StateStore(directory: directory, log: .silent)
        #expect(store.savedPlayback == nil)
        var item = MediaItem(url: "http://x/film.mp4", title: "Film")
        item.headers = ["Cookie": "secret-1234"]
        let saved = SavedPlayback(
            sender: SenderIdentity(id: "a", name: "Anna"), end: SessionEnd(item: item, position: 12.5, wasPlaying: true)
        )
        store.save(saved)
        var expected = saved
        expected.end.item?.headers = nil
        #expect(store.savedPlayback == expected)
        #expect(try mode(directory + "/playback.json") == 0o600)
        #expect(try !String(contentsOfFile: directory + "/playback.json", encoding: .utf8).contains("secret"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).allSatisfy { !$0.hasSuffix(".new") })
        store.save(nil)
        #expect(store.savedPlayback == nil)
        try "nonsense".write(toFile: directory + "/playback.json", atomically: true, encoding: .utf8)
        #expect(store.savedPlayback == nil)
    }

    @Test("a folder that cannot be made is an error that says so")
    func unwritable() throws {
        let error = try #require(throws: CastError.self) { try StateStore(directory: "/proc/nowhere/x", log: .silent) }
        #expect(error.code == .storageUnavailable)
        #expect(error.hint?.contains("--state-dir") == true)
    }

    @Test("the usual folder follows systemd, then XDG, then home")
    func usual() {
        #expect(StateStore.usualDirectory(environment: ["STATE_DIRECTORY": "/a:/b", "HOME": "/h"]) == "/a")
        #expect(
            StateStore.usualDirectory(environment: ["XDG_STATE_HOME": "/x", "HOME": "/h"]) == "/x/castway/receiver")
        #expect(
            StateStore.usualDirectory(environment: ["XDG_STATE_HOME": "x", "HOME": "/h"])
                == "/h/.local/state/castway/receiver")
    }
}
