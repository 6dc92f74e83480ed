import Casting
import FoundationEssentials
import Sender
import Synchronization

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
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                Self.failure.store(errno == 0 ? EIO : errno, ordering: .relaxed)
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether something could not be written.
    var hasFailed: Bool { Self.failure.load(ordering: .relaxed) != 0 }

    /// How the program ends where it would end so: otherwise where its words did not get out.
    func ending(_ code: ExitCode) -> ExitCode {
        let reason = Self.failure.load(ordering: .relaxed)
        guard reason != 0 else { return code }
        // Whoever reads by a pipe and stops reading has had enough, which is no news.
        if reason != EPIPE {
            Log.standardError(
                "castsend: the output cannot be written: \(String(cString: strerror(reason)).lowercased())")
        }
        return code == .done ? .output : code
    }

    /// The system's number for why output was lost; 0 while none was.
    private static let failure = Atomic<Int32>(0)

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
