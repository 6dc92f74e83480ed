/// Whether a receiver is free.
public enum Availability: String, Codable, Sendable {
    /// Plays nothing.
    case idle
    /// A session is playing.
    case busy
}

/// A receiver as a sender sees it on the network.
public struct Route: Codable, Hashable, Sendable, Identifiable {
    /// The receiver's UUID; the same for ever.
    public var id: String
    /// Its name for people.
    public var name: String
    /// What kind of thing it is.
    public var model: String
    /// What it can show: `video`, `audio`.
    public var capabilities: [String]
    /// Whether it is free.
    public var availability: Availability
    /// The version of the protocol it speaks.
    public var protocolVersion: Int
    /// Where it can be reached, best first.
    public var endpoints: [Endpoint]

    /// A route with all its particulars.
    public init(
        id: String, name: String, model: String, capabilities: [String], availability: Availability,
        protocolVersion: Int, endpoints: [Endpoint]
    ) {
        self.id = id
        self.name = name
        self.model = model
        self.capabilities = capabilities
        self.availability = availability
        self.protocolVersion = protocolVersion
        self.endpoints = endpoints
    }
}

/// An address and a port.
public struct Endpoint: Codable, Hashable, Sendable {
    /// An IPv4 or IPv6 address (a link-local one with its scope, `fe80::1%eth0`) or a host name; no brackets.
    public var host: String
    /// The TCP port.
    public var port: Int

    /// The port castreceiver listens on unless told otherwise.
    public static let defaultPort = 7766

    /// An address and a port.
    public init(host: String, port: Int = defaultPort) {
        self.host = host
        self.port = port
    }

    /// The start of an http URL for it: an IPv6 address in brackets, a scope's `%` escaped (RFC 6874).
    public var httpOrigin: String { "http://\(authority)" }

    /// Host and port as a URL wants them.
    public var authority: String {
        guard host.contains(":") else { return "\(host):\(port)" }
        let literal = host.split(separator: "%", maxSplits: 1).joined(separator: "%25")
        return "[\(literal)]:\(port)"
    }
}
