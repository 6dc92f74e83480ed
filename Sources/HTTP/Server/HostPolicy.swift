import FoundationEssentials
import Glibc

/// Decides whether a request's Host header names this machine, so that a web page of elsewhere cannot reach the
/// server by pointing its own name at it (DNS rebinding).
public struct HostPolicy: Sendable, Hashable {
    private var names: Set<String>

    /// A policy for a machine of these names, beside addresses and localhost.
    ///
    /// - Parameter names: without domain or with it; each counts with ".local" too.
    public init(names: [String] = []) {
        self.names = ["localhost"]
        for name in names {
            let name = normalized(name)
            guard !name.isEmpty else { continue }
            self.names.insert(name)
            if !name.hasSuffix(".local") { self.names.insert(name + ".local") }
            if let dot = name.firstIndex(of: ".") {
                self.names.insert(String(name[..<dot]))
                self.names.insert(name[..<dot] + ".local")
            }
        }
    }

    /// A policy for this machine: its host name, and more names from the configuration.
    public static func thisMachine(names: [String] = []) -> HostPolicy {
        HostPolicy(names: [ProcessInfo.processInfo.hostName] + names)
    }

    /// Whether a Host header is an address or a name of this machine, with any port. No header is not.
    public func allows(_ host: String?) -> Bool {
        guard let host else { return false }
        var name = host[...]
        if name.first == "[" {
            guard let end = name.firstIndex(of: "]"), isPort(name[name.index(after: end)...]) else { return false }
            let address = name[name.index(after: name.startIndex)..<end].prefix { $0 != "%" }
            return isAddress(String(address), AF_INET6)
        }
        if let colon = name.firstIndex(of: ":") {
            guard isPort(name[colon...]) else { return false }
            name = name[..<colon]
        }
        return isAddress(String(name), AF_INET) || names.contains(normalized(String(name)))
    }
}

/// A name in small letters without the dot of the root.
private func normalized(_ name: String) -> String {
    let name = name.lowercased()
    return name.hasSuffix(".") ? String(name.dropLast()) : name
}

/// Nothing, or a colon and digits.
private func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && text.dropFirst().utf8.allSatisfy { (48...57).contains($0) }
}

private func isAddress(_ text: String, _ family: Int32) -> Bool {
    var address = in6_addr()
    return inet_pton(family, text, &address) == 1
}
