import Glibc
import Threads

/// The addresses by which other machines can reach this one.
enum Addresses {
    /// IPv4 first, then IPv6 that is no link-local one; none of the loopback interface. Best for people to type.
    static func current() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [(family: Int32, text: String)] = []
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let entry, let address = entry.pointee.ifa_addr else { continue }
            let flags = Int32(bitPattern: entry.pointee.ifa_flags)
            guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0 else { continue }
            let family = Int32(address.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6, let text = text(address, family), !text.hasPrefix("fe80")
            else { continue }
            found.append((family, text))
        }
        return found.sorted { $0.family < $1.family }.map(\.text)
    }

    /// Calls `body` whenever an address came or went, from a thread that sleeps between.
    static func whenChanged(_ body: @escaping @Sendable () -> Void) {
        let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        // struct sockaddr_nl of netlink(7): family, padding, port id, groups (RTMGRP_IPV4_IFADDR, RTMGRP_IPV6_IFADDR).
        var address: (UInt16, UInt16, UInt32, UInt32) = (UInt16(AF_NETLINK), 0, 0, 0x10 | 0x100)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(12)) }
        }
        guard bound == 0 else {
            close(descriptor)
            return
        }
        OwnThread.start("addresses") {
            var buffer = [UInt8](repeating: 0, count: 8_192)
            // An overflow (ENOBUFS) is also news; anything else ends the watch.
            while recv(descriptor, &buffer, buffer.count, 0) > 0 || errno == ENOBUFS || errno == EINTR { body() }
            close(descriptor)
        }
    }

    private static func text(_ address: UnsafeMutablePointer<sockaddr>, _ family: Int32) -> String? {
        let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, socklen_t(length), &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
