public import Casting

/// Routes as a table for people: name, model, state, address; the id's beginning where names are the same.
public enum RouteTable {
    /// The lines, without a newline at the end.
    ///
    /// - Parameter active: the id of the route to mark, the one used last.
    public static func text(_ routes: [Route], active: String?) -> String {
        guard !routes.isEmpty else { return "" }
        let sorted = routes.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
        var rows = [["", "NAME", "MODEL", "STATE", "ADDRESS"]]
        for route in sorted {
            let isTwin = routes.filter { $0.name.lowercased() == route.name.lowercased() }.count > 1
            rows.append([
                route.id == active ? "●" : "",
                isTwin ? "\(shown(route.name)) (\(route.id.prefix(8)))" : shown(route.name),
                shown(route.model), word(route.availability), route.endpoints.first?.text ?? "–",
            ])
        }
        let widths = rows[0].indices.map { column in rows.map { columns(of: $0[column]) }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - columns(of: $0)) }
            var line = cells.joined(separator: "  ")
            if widths[0] == 0 { line.removeFirst(2) }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    /// One route in one line, for lists that go on.
    public static func line(_ route: Route) -> String {
        "\(shown(route.name))  \(shown(route.model))  \(word(route.availability))  "
            + (route.endpoints.first?.text ?? "–")
    }

    /// The state in a word.
    static func word(_ availability: Availability) -> String {
        switch availability {
        case .idle: "idle"
        case .busy: "busy"
        }
    }
}

extension Endpoint {
    /// The address as people write it and “--to” takes it.
    public var text: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// How many columns of a terminal a text takes: the characters of East Asia and pictures take two (Unicode Standard
/// Annex #11).
public func columns(of text: String) -> Int {
    text.reduce(0) { sum, character in
        guard let scalar = character.unicodeScalars.first?.value else { return sum }
        return sum + (wide.contains { $0.contains(scalar) } ? 2 : 1)
    }
}

private let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
    0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1faff, 0x20000...0x3fffd,
]

/// A text from the network, safe to print: control characters, which could steer a terminal, are made visible.
public func shown(_ text: String) -> String {
    let harmless = { (scalar: Unicode.Scalar) in
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
    guard !text.unicodeScalars.allSatisfy(harmless) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { harmless($0) ? $0 : "\u{fffd}" }))
}
