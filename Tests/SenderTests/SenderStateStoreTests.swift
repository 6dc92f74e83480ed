import Casting
import Foundation
import TestSupport
import Testing

@testable import Sender

@Suite struct SenderStateStoreTests {
    let folder: TemporaryFolder
    let store: SenderStateStore

    init() throws {
        folder = try TemporaryFolder()
        store = SenderStateStore(folder: folder.path + "/state/castway")
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test("what was kept is there the next time, and nobody else can read it")
    func keeps() throws {
        let key = SessionKey(id: "s", token: "secret")
        try store.update {
            $0.remember(id: "a", name: "TV", endpoint: Endpoint(host: "192.0.2.1"))
            $0.setSession(key, of: "a")
        }
        let state = SenderStateStore(folder: store.folder).read()
        #expect(
            state.lastUsed == KnownReceiver(id: "a", name: "TV", endpoint: Endpoint(host: "192.0.2.1"), session: key))
        #expect(try mode(store.folder) == 0o700)
        #expect(try mode(store.folder + "/castsend.json") == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: store.folder).sorted() == [
                "castsend.json", "castsend.lock",
            ])
    }

    @Test("a folder that was open to others is closed")
    func closes() throws {
        try FileManager.default.createDirectory(
            atPath: store.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try store.update { _ in }
        #expect(try mode(store.folder) == 0o700)
    }

    @Test("the last receiver used comes first and keeps its session; the oldest are forgotten")
    func order() throws {
        let key = SessionKey(id: "s", token: "t")
        try store.update {
            for number in 0..<60 { $0.remember(id: "\(number)", name: "TV", endpoint: Endpoint(host: "h")) }
            $0.setSession(key, of: "30")
            $0.remember(id: "30", name: "New name", endpoint: Endpoint(host: "other"))
        }
        let receivers = store.read().receivers
        #expect(receivers.count == 50)
        #expect(
            receivers[0] == KnownReceiver(id: "30", name: "New name", endpoint: Endpoint(host: "other"), session: key))
        #expect(receivers[1].id == "59")
    }

    @Test("this machine's id stays the same, once something was kept")
    func senderID() throws {
        let first = try store.update { $0.senderID }
        #expect(UUID(uuidString: first) != nil)
        #expect(store.read().senderID == first)
        let again = try store.update { $0.senderID }
        #expect(again == first)
    }

    @Test("a broken file is a fresh start, not an error")
    func broken() throws {
        try FileManager.default.createDirectory(atPath: store.folder, withIntermediateDirectories: true)
        try Data("{".utf8).write(to: URL(fileURLWithPath: store.folder + "/castsend.json"))
        #expect(store.read().receivers == [])
        try store.update { $0.remember(id: "a", name: "TV", endpoint: Endpoint(host: "h")) }
        #expect(store.read().lastUsed?.id == "a")
    }

    @Test("changes made at the same time are all kept")
    func concurrent() async throws {
        let folder = store.folder
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try? SenderStateStore(folder: folder).update {
                        $0.remember(id: "\(number)", name: "TV", endpoint: Endpoint(host: "h"))
                    }
                }
            }
        }
        #expect(store.read().receivers.count == 40)
    }

    @Test("a place that cannot be written to is an error with a way out")
    func unwritable() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        let blocked = SenderStateStore(folder: folder.path + "/file/castway")
        let error = #expect(throws: CastError.self) { try blocked.update { (_: inout SenderState) in } }
        #expect(error?.hint?.contains("XDG_STATE_HOME") == true)
    }

    @Test("the folder follows the XDG rules")
    func standardFolder() {
        #expect(SenderStateStore.standardFolder(environment: ["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/castway")
        #expect(
            SenderStateStore.standardFolder(environment: ["XDG_STATE_HOME": "s", "HOME": "/h"])
                == "/h/.local/state/castway")
        #expect(SenderStateStore.standardFolder(environment: ["HOME": "/h"]) == "/h/.local/state/castway")
    }
}
