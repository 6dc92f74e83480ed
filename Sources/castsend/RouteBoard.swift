import Casting
import Discovery
import Sender

/// The routes as they come and go: a table drawn again on a terminal, else a line for each change.
struct RouteBoard {
    let output: Output
    let active: String?
    private var known: [String: Route] = [:]
    private var problem: CastError?
    private var lines = 0
    private var hasShown = false

    init(output: Output, active: String?) {
        self.output = output
        self.active = active
    }

    mutating func show(_ snapshot: RouteSnapshot, explained: (CastError) -> CastError) {
        if let new = snapshot.problem, new != problem {
            output.remark(explained(new).description)
            output.document(ProblemDocument(error: explained(new)))
        }
        problem = snapshot.problem
        let routes = snapshot.routes
        let changed = routes.filter { known[$0.id] != $0 }
        let gone = known.values.filter { old in !routes.contains { $0.id == old.id } }
        guard !hasShown || !changed.isEmpty || !gone.isEmpty else { return }
        if output.isJSON {
            if snapshot.phase > .searching || !routes.isEmpty { output.document(routes) } else { return }
        } else if Terminal.canRedraw {
            redraw(routes)
        } else {
            for route in gone { output.say("gone     \(route.name)") }
            for route in changed {
                output.say("\(known[route.id] == nil ? "found  " : "changed")  \(RouteListing.line(route))")
            }
        }
        hasShown = true
        known = Dictionary(routes.map { ($0.id, $0) }) { first, _ in first }
    }

    private mutating func redraw(_ routes: [Route]) {
        if lines > 0 { output.write("\u{1b}[\(lines)A\r\u{1b}[J") }
        let text = routes.isEmpty ? "No receiver here (yet). Ctrl-C ends." : RouteListing.text(routes, active: active)
        output.write(text + "\n")
        // A line longer than the terminal is wide takes several of its.
        let width = Terminal.width
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { max(1, (columns(of: String($0)) + width - 1) / width) }.reduce(0, +)
    }
}

/// What keeps `routes --watch --json` from seeing anything, for now.
private struct ProblemDocument: Encodable {
    var error: CastError
}
