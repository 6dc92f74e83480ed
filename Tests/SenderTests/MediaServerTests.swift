import Casting
import Foundation
import HTTP
import TestSupport
import Testing

@testable import Sender

@Suite struct MediaServerTests {
    private func file(in folder: TemporaryFolder, _ name: String = "film.mp4") throws -> String {
        let path = folder.path + "/" + name
        try Data("a film".utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("a file is served on the address that faces the receiver, IPv4 or IPv6", arguments: ["127.0.0.1", "::1"])
    func serves(_ address: String) async throws {
        let folder = try TemporaryFolder()
        let server = try MediaServer(files: [file(in: folder)], localAddress: address)
        let served = try #require(server.files.first)
        #expect(served.contentType == "video/mp4")
        #expect(served.url.hasPrefix(address == "::1" ? "http://[::1]:" : "http://127.0.0.1:"))
        let answer = try await HTTPClient().send("GET", served.url)
        #expect(answer.body == Data("a film".utf8))
        #expect(answer.localAddress == address)
        server.stop()
        await #expect(throws: HTTPError.self) { try await HTTPClient().send("GET", served.url) }
    }

    @Test("two servers of one file have nothing in common but its name")
    func unguessable() throws {
        let folder = try TemporaryFolder()
        let path = try file(in: folder, "ä b?.mkv")
        let servers = try (0..<2).map { _ in try MediaServer(files: [path], localAddress: "127.0.0.1") }
        let secrets = servers.map { $0.files[0].url.split(separator: "/")[2] }
        #expect(secrets[0] != secrets[1])
        #expect(servers.allSatisfy { $0.files[0].url.hasSuffix("/%C3%A4%20b%3F.mkv") })
    }

    @Test("an address that is not this machine's is an error, not a silence")
    func foreignAddress() throws {
        let folder = try TemporaryFolder()
        let path = try file(in: folder)
        let error = #expect(throws: CastError.self) { try MediaServer(files: [path], localAddress: "192.0.2.1") }
        #expect(error?.code == .outputUnavailable)
    }

    @Test("what cannot be served as a film is refused at once", arguments: ["pipe", "empty", "folder", "missing"])
    func unservable(_ kind: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/" + kind
        switch kind {
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        case "empty": try Data().write(to: URL(fileURLWithPath: path))
        case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        default: break
        }
        let error = #expect(throws: CastError.self) { try MediaServer.check(path) }
        #expect(error?.code == .contentIsUnavailable)
    }
}
