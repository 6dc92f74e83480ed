import Foundation

/// A socket of 127.0.0.1 that listens with the smallest queue.
public final class Listener: Sendable {
    let descriptor: Int32
    /// The port on 127.0.0.1.
    public let port: Int

    /// A socket at any free port.
    public init() {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, size)
                _ = listen(descriptor, 0)
                _ = getsockname(descriptor, $0, &size)
            }
        }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        close(descriptor)
    }

    /// Does something while further connections are neither taken nor refused, for the queue is full.
    public func whileFull<Value>(_ body: () async throws -> sending Value) async throws -> sending Value {
        let port = port
        let filler = try await onOwnThread { try RawConnection(port: port) }
        // Without it the socket would be closed after its last mention, and connections refused.
        defer { withExtendedLifetime((self, filler)) {} }
        return try await body()
    }

    /// Takes one connection, says something whatever was asked, and closes it.
    public func answerOnce(_ text: String) {
        Thread.detachNewThread { [self] in
            let connection = accept(descriptor, nil, nil)
            var buffer = [UInt8](repeating: 0, count: 4096)
            recv(connection, &buffer, buffer.count, 0)
            send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            close(connection)
        }
    }
}
