import Glibc

/// Opens the socket a server listens on.
enum ListeningSocket {
    /// A listening TCP socket, not inherited by other programs.
    ///
    /// - Throws: `portInUse` or `cannotListen`.
    static func open(port: Int, on address: HTTPServerAddress) throws(HTTPError) -> Int32 {
        guard (0...65535).contains(port) else { throw HTTPError(.cannotListen, "\(port) is not a port number.") }
        switch address {
        case .loopback: return try open(resolve("127.0.0.1", port))
        case .address(let text): return try open(resolve(text, port))
        case .everywhere:
            do {
                return try open(resolve("::", port))
            } catch  where error.code != .portInUse {
                // No IPv6 on this machine.
                return try open(resolve("0.0.0.0", port))
            }
        }
    }

    /// The port a socket is bound to.
    static func port(of socket: Int32) -> Int {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let found = withUnsafeMutableBytes(of: &address) {
            getsockname(socket, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
        }
        guard found == 0 else { return 0 }
        return withUnsafeBytes(of: &address) { bytes in
            // The port stands at the same place for both families.
            Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    private struct Address {
        var family: Int32
        var storage: sockaddr_storage
        var size: socklen_t
    }

    private static func resolve(_ text: String, _ port: Int) throws(HTTPError) -> Address {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, String(port), &hints, &list) == 0, let first = list?.pointee else {
            throw HTTPError(.cannotListen, "\(text) is not an address of this machine.")
        }
        defer { freeaddrinfo(list) }
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: first.ai_addr, count: Int(first.ai_addrlen)))
        }
        return Address(family: first.ai_family, storage: storage, size: first.ai_addrlen)
    }

    private static func open(_ address: Address) throws(HTTPError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, type, 0)
        guard descriptor >= 0 else { throw failure(errno) }
        // A restart must not wait for connections of the run before to fade.
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if address.family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        var storage = address.storage
        let bound = withUnsafeBytes(of: &storage) {
            bind(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), address.size)
        }
        guard bound == 0, listen(descriptor, 128) == 0 else {
            let code = errno
            close(descriptor)
            throw failure(code)
        }
        return descriptor
    }

    private static func failure(_ code: Int32) -> HTTPError {
        switch code {
        case EADDRINUSE: HTTPError(.portInUse, "Another program listens on that port.")
        case EACCES: HTTPError(.cannotListen, "Listening on that port needs more rights.")
        default: HTTPError(.cannotListen, "Cannot listen: \(String(cString: strerror(code))).")
        }
    }
}

/// Sets a whole-number option of a socket.
func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
}

/// An address as people write it, without port; an IPv4 address in IPv6 clothes as plain IPv4.
func printed(_ address: UnsafePointer<sockaddr>) -> String {
    let size =
        address.pointee.sa_family == sa_family_t(AF_INET6)
        ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(address, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else {
        return ""
    }
    let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
}
