import Casting
import FoundationEssentials
import Sender

#if canImport(Glibc)
    import Glibc
#endif

/// What castsend prints: words for people, or JSON for programs.
struct Output: Sendable {
    /// Whether to print JSON.
    let isJSON: Bool

    /// Prints a line for people; nothing when programs read.
    func say(_ line: String) {
        guard !isJSON else { return }
        write(shown(line) + "\n")
    }

    /// Prints routes for people.
    func table(_ routes: [Route], active: String?) {
        guard !isJSON else { return }
        write(RouteListing.text(routes, active: active) + "\n")
    }

    /// Prints a remark for people to standard error.
    func remark(_ line: String) {
        guard !isJSON else { return }
        Log.standardError(shown(line))
    }

    /// Prints one document for programs; nothing when people read.
    func document(_ value: some Encodable) {
        guard isJSON else { return }
        write(Self.text(value) + "\n")
    }

    /// Prints an event as `{"event":…,"data":…}`.
    func event(_ event: Event) {
        guard isJSON, let data = try? event.payload() else { return }
        write("{\"event\":\"\(event.name)\",\"data\":\(String(decoding: data, as: UTF8.self))}\n")
    }

    /// Prints exactly this to standard output, at once.
    func write(_ text: String) {
        print(text, terminator: "")
        fflush(nil)
    }

    /// Prints what went wrong: to standard error for people, as a document for programs.
    func failure(_ error: CastError, candidates: [Route] = [], exitCode: ExitCode) {
        guard !isJSON else {
            return document(FailureDocument(error: error, exitCode: exitCode.rawValue, routes: candidates))
        }
        var text = "castsend: " + shown(error.message)
        if let hint = error.hint { text += "\n" + shown(hint) }
        if !candidates.isEmpty { text += "\n" + RouteListing.text(candidates, active: nil) }
        Log.standardError(text)
    }

    private static func text(_ value: some Encodable) -> String {
        (try? JSONEncoder.wire.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

private struct FailureDocument: Encodable {
    var error: CastError
    var exitCode: Int32
    var routes: [Route]
}
