/// The target of a request line (RFC 9112 §3.2) taken apart: path, decoded segments, query.
struct RequestTarget: Equatable {
    var path: String
    var components: [String]
    var query: [String: String]

    /// Nil for a target that is malformed: a bad percent escape, NUL, bytes that are not UTF-8, no leading slash.
    init?(_ target: String) {
        var rest = Substring(target)
        if let scheme = ["http://", "https://"].first(where: { rest.lowercased().hasPrefix($0) }) {
            rest = rest.dropFirst(scheme.count)
            rest = rest.firstIndex { $0 == "/" || $0 == "?" }.map { rest[$0...] } ?? "/"
            if rest.first == "?" { rest = "/" + rest }
        }
        if let fragment = rest.firstIndex(of: "#") { rest = rest[..<fragment] }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        guard path.hasPrefix("/") || path == "*" else { return nil }
        var components: [String] = []
        for part in path.split(separator: "/") where path != "*" {
            guard let component = percentDecoded(part) else { return nil }
            switch component {
            case ".": break
            case "..": _ = components.popLast()
            default: components.append(component)
            }
        }
        self.components = components
        query = [:]
        for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = percentDecoded(sides[0], plusIsSpace: true),
                let value = percentDecoded(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
            else { return nil }
            if query[name] == nil { query[name] = value }
        }
    }
}

/// The text with its percent escapes undone; nil for a bad escape, a NUL, or bytes that are not UTF-8.
func percentDecoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        var decoded = byte
        if byte == UInt8(ascii: "%") {
            guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
                return nil
            }
            decoded = high << 4 | low
        } else if byte == UInt8(ascii: "+"), plusIsSpace {
            decoded = UInt8(ascii: " ")
        }
        guard decoded != 0 else { return nil }
        bytes.append(decoded)
    }
    return String(validating: bytes, as: UTF8.self)
}

/// The value of a hexadecimal digit.
func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
}
