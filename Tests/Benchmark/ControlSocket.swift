import Foundation
import TestSupport

/// A player's control socket: lines go in, and what comes out is thrown away.
final class ControlSocket: Sendable {
    private let descriptor: Int32

    /// Connects to the socket at `path`, which a player is about to make.
    init(path: String) async throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { place in place.copyBytes(from: path.utf8.prefix(107)) }
        let filled = address
        let isOpen = await eventually(within: 20) {
            var address = filled
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
        }
        guard isOpen else {
            close(descriptor)
            throw RunFailure(description: "Nothing listens at \(path).")
        }
        self.descriptor = descriptor
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
            close(descriptor)
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends a line.
    func send(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw RunFailure(description: "The player does not listen any more.")
        }
    }
}
