public import Casting

/// Routes as a table for people: name, model, state, address; the id's beginning where names are the same.
public enum RouteListing {
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
