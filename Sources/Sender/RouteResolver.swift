public import Casting

#if canImport(Glibc)
    import Glibc
#endif

/// Why no route could be chosen, and those that could have been.
public struct RouteFailure: Error, Hashable, Sendable {
    /// What is wrong and what to do.
    public var error: CastError
    /// The routes that are there.
    public var candidates: [Route]

    /// A failure to choose among `candidates`.
    public init(_ error: CastError, candidates: [Route] = []) {
        self.error = error
        self.candidates = candidates
    }
}

/// Which receiver is meant, before anything was looked up.
public enum RouteTarget: Hashable, Sendable {
    /// The one at an address.
    case address(Endpoint)
    /// The one of that name, or whose id begins so; where none is, the host of that name.
    case named(String)
    /// The one that was used last.
    case lastUsed(KnownReceiver)
    /// The only one there is.
    case only
}

/// Decides which route a command is for.
public enum RouteResolver {
    /// What is meant: by the option, else by the environment, else the last one used, else the only one.
    public static func target(option: String?, environment: String?, lastUsed: KnownReceiver?) -> RouteTarget {
        let given = [option, environment].compactMap { $0.flatMap(trimmed) }.first
        guard let given else { return lastUsed.map(RouteTarget.lastUsed) ?? .only }
        guard isAddress(given), let endpoint = endpoint(given) else { return .named(given) }
        return .address(endpoint)
    }

    /// The route of that name (case matters only where it tells two apart), else the one whose id begins so.
    ///
    /// - Throws: `RouteFailure` with `routeNotFound`, where there is none or several.
    public static func choose(_ text: String, among routes: [Route]) throws(RouteFailure) -> Route {
        let id = text.lowercased()
        let choices = [
            routes.filter { $0.name == text },
            routes.filter { $0.name.lowercased() == id },
            routes.filter { $0.id.lowercased() == id },
            routes.filter { $0.id.lowercased().hasPrefix(id) },
        ]
        guard let found = choices.first(where: { !$0.isEmpty }) else {
            throw RouteFailure(
                notFound("There is no receiver “\(text)” on this network", among: routes), candidates: routes)
        }
        guard found.count == 1 else {
            let error = CastError(
                .routeNotFound, "“\(text)” may be any of \(found.count) receivers.",
                hint: "Name one by the beginning of its id, as in “--to \(found[0].id.prefix(8))”.")
            throw RouteFailure(error, candidates: found)
        }
        return found[0]
    }

    /// The only route there is.
    ///
    /// - Throws: `RouteFailure` with `routeNotFound`, where there is none or several.
    public static func chooseOnly(of routes: [Route]) throws(RouteFailure) -> Route {
        if routes.count == 1 { return routes[0] }
        guard !routes.isEmpty else {
            throw RouteFailure(notFound("No receiver was found on this network", among: []))
        }
        let error = CastError(
            .routeNotFound, "There are \(routes.count) receivers here.",
            hint: "Say which one with “--to NAME”; it is remembered for the next time.")
        throw RouteFailure(error, candidates: routes)
    }

    private static func notFound(_ what: String, among routes: [Route]) -> CastError {
        guard routes.isEmpty else { return CastError(.routeNotFound, what + ".", hint: "Choose one of these:") }
        return CastError(
            .routeNotFound, what + ".",
            hint: "Check that castreceiver runs there and is on the same network, or give its address: “--to HOST”.")
    }

    private static func trimmed(_ text: String) -> String? {
        let words = text.split(omittingEmptySubsequences: false) { $0.isWhitespace }
        let inner = words.drop { $0.isEmpty }.reversed().drop { $0.isEmpty }.reversed().joined(separator: " ")
        return inner.isEmpty ? nil : inner
    }
}

/// Addresses as people write them.
extension RouteResolver {
    /// Whether a text is surely an address rather than a name for people: a literal, a host with port, a host name with
    /// a dot, `localhost`, or a web address.
    public static func isAddress(_ text: String) -> Bool {
        guard let endpoint = endpoint(text) else { return false }
        return text.hasPrefix("http://") || text.hasPrefix("[")
            || endpoint.host.contains(where: { $0 == "." || $0 == ":" })
            || text.contains(":") || endpoint.host == "localhost"
    }

    /// Reads `host`, `host:port`, `[IPv6]:port` or a bare IPv6 address, with a scope as in `fe80::1%eth0`; also the web
    /// address `http://host:port/` of a receiver. Nil where it is none of these.
    public static func endpoint(_ text: String) -> Endpoint? {
        var text = text[...]
        if text.hasPrefix("http://") {
            text = text.dropFirst(7)
            if text.hasSuffix("/") { text = text.dropLast() }
        }
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let host = text[text.index(after: text.startIndex)..<end]
            return literal6(host).flatMap { withPort($0, text[text.index(after: end)...]) }
        }
        if text.filter({ $0 == ":" }).count > 1 { return literal6(text).map { Endpoint(host: $0) } }
        let colon = text.firstIndex(of: ":") ?? text.endIndex
        let host = text[..<colon]
        guard isHost(host) else { return nil }
        return withPort(String(host), text[colon...])
    }

    /// The port of an address whose port there cannot be; nil for everything else.
    public static func impossiblePort(in text: String) -> String? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let (host, port) = (text[..<colon], text[text.index(after: colon)...])
        guard !port.isEmpty, port.allSatisfy(\.isNumber), host.hasSuffix("]") || !host.contains(":"), !host.isEmpty,
            !(1...65535).contains(Int(port) ?? 0)
        else { return nil }
        return String(port)
    }

    /// Why an address cannot be reached as it is; nil where it can: an IPv6 link-local one (RFC 4291 §2.5.6) is on any
    /// link, so it must be said on which.
    static func incomplete(_ endpoint: Endpoint) -> RouteFailure? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, endpoint.host, &address) == 1,
            withUnsafeBytes(of: &address, { $0[0] == 0xfe && $0[1] & 0xc0 == 0x80 })
        else { return nil }
        return RouteFailure(
            CastError(
                .routeNotFound, "“\(endpoint.host)” does not say on which network interface it is.",
                hint: "Add the interface, as in “\(endpoint.host)%eth0”; “ip -brief link” lists them."))
    }

    private static func withPort(_ host: String, _ rest: Substring) -> Endpoint? {
        guard !rest.isEmpty else { return Endpoint(host: host) }
        let digits = rest.dropFirst()
        guard rest.first == ":", digits.allSatisfy(\.isDigit), let port = Int(digits), (1...65535).contains(port) else {
            return nil
        }
        return Endpoint(host: host, port: port)
    }

    /// The IPv6 address, its scope kept with a plain `%`.
    private static func literal6(_ text: Substring) -> String? {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(parts[0]), &address) == 1 else { return nil }
        guard parts.count > 1 else { return String(parts[0]) }
        let scope = parts[1].hasPrefix("25") && parts[1].count > 2 ? parts[1].dropFirst(2) : parts[1]
        guard !scope.isEmpty, scope.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) else { return nil }
        return "\(parts[0])%\(scope)"
    }

    /// Whether it can be a host name or an IPv4 address (RFC 1123 §2.1, underscores let through).
    private static func isHost(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let allowed = { (letter: Character) in
            letter.isASCII && (letter.isLetter || letter.isNumber || letter == "-" || letter == "_")
        }
        guard !text.isEmpty, labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(allowed) }) else { return false }
        // Only digits and dots: then it must be a whole IPv4 address.
        var address = in_addr()
        return !labels.allSatisfy { $0.allSatisfy(\.isDigit) } || inet_pton(AF_INET, String(text), &address) == 1
    }
}
