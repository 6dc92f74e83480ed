public import Foundation

/// A plain TCP connection, for tests that must say exactly which bytes go out and when.
///
/// Its calls block, at most `timeout` seconds each: use them within `onOwnThread`.
public final class RawConnection: Sendable {
    /// What the other side did not do.
    public struct Failure: Error, CustomStringConvertible {
        /// What was tried, and the system's reason.
        public var description: String
        init(_ what: String) { description = what + ": " + String(cString: strerror(errno)) }
    }

    /// The socket.
    public let descriptor: Int32

    /// Connects to a port of this machine.
    ///
    /// - Parameter from: the address of the loopback net to come from, so that a test may be many peers.
    public init(port: Int, host: String = "127.0.0.1", from: String? = nil, timeout: Int = 15) throws {
        let isIPv6 = host.contains(":")
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if let from {
            let result = withAddress(from, 0) { bind(descriptor, $0, $1) }
            guard result == 0 else { throw Failure("bind \(from)") }
        }
        guard withAddress(host, port, { connect(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            throw Failure("connect \(host) \(port)")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends bytes.
    public func send(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Failure("send") }
            rest = rest.dropFirst(count)
        }
    }

    /// The next bytes; none where the other side has closed.
    public func receive(_ limit: Int = 65536) throws -> Data {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        // A connection that is torn down has ended too.
        guard count >= 0 || errno == ECONNRESET else { throw Failure("recv") }
        return Data(buffer.prefix(max(0, count)))
    }

    /// Everything up to the end of the connection.
    public func receiveToEnd() throws -> Data {
        var all = Data()
        while true {
            let piece = try receive()
            guard !piece.isEmpty else { return all }
            all += piece
        }
    }

    /// Everything up to a text and perhaps beyond; what there was, where the connection ends before.
    public func receive(until text: String) throws -> String {
        var all = Data()
        while all.range(of: Data(text.utf8)) == nil {
            let piece = try receive()
            guard !piece.isEmpty else { break }
            all += piece
        }
        return String(decoding: all, as: UTF8.self)
    }
}

private func withAddress<Result>(
    _ host: String, _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    if host.contains(":") {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = UInt16(port).bigEndian
        inet_pton(AF_INET6, host, &address.sin6_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
}
