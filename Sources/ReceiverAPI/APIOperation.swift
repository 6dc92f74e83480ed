import Casting
import HTTP
import Receiver

/// One method on one path, and what it does.
struct APIOperation: Sendable {
    let method: String
    /// The path as OpenAPI writes it: `/v1/sessions/{session}/item`.
    let path: String
    let perform: @Sendable (Call) async throws(CastError) -> HTTPResponse
    private let segments: [Substring]

    init(
        _ method: String, _ path: String, _ perform: @escaping @Sendable (Call) async throws(CastError) -> HTTPResponse
    ) {
        self.method = method
        self.path = path
        self.perform = perform
        segments = path.split(separator: "/")
    }

    /// Whether calls need the token of the session in their path.
    var needsSession: Bool { path.hasPrefix("/v1/sessions/{session}") }

    /// Whether it can still be called when its session has ended.
    var tellsOfTheEnd: Bool { path == "/v1/sessions/{session}/events" }

    /// The parameters of a path that fits; nil for one that does not.
    func match(_ components: [String]) -> [String: String]? {
        guard components.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, component) in zip(segments, components) {
            if segment.hasPrefix("{") {
                parameters[String(segment.dropFirst().dropLast())] = component
            } else if segment != component {
                return nil
            }
        }
        return parameters
    }

    /// Every operation there is.
    static let all = receiverOperations + sessionOperations + playbackOperations + trackOperations + queueOperations
}

/// A request on its way through an operation.
struct Call: Sendable {
    let api: ReceiverAPI
    let request: HTTPRequest
    let parameters: [String: String]

    var session: String { parameters["session"] ?? "" }

    /// Carries out commands one after the other, and answers with the state after them. Where one cannot be, none is.
    func perform(_ commands: Command...) async throws(CastError) -> HTTPResponse {
        for command in commands { try CommandRules.check(command, queued: 0) }
        do throws(CastError) {
            for command in commands { try await api.receiver.perform(command, session: session) }
        } catch {
            return try refusal(error, of: commands)
        }
        return .json(api.receiver.state.sent(at: .now))
    }

    /// Carries out a seek or skip, and answers with how it went.
    func seek(_ command: Command) async throws(CastError) -> HTTPResponse {
        let outcome: CommandOutcome
        do throws(CastError) {
            outcome = try await api.receiver.perform(command, session: session)
        } catch {
            return try refusal(error, of: [command])
        }
        guard case .seek(let outcome) = outcome else {
            throw CastError(.unknown, "The player gave no outcome of the seek.")
        }
        return .json(outcome)
    }

    /// The answer where an item that has failed is to be steered: its error, as a conflict with what is current.
    /// - Throws: any other error.
    private func refusal(_ error: CastError, of commands: [Command]) throws(CastError) -> HTTPResponse {
        guard commands.allSatisfy(\.steersItem), let item = api.receiver.state.item, item.status == .failed,
            item.error == error
        else { throw error }
        return .problem(error, status: 409)
    }
}

extension Command {
    /// Whether it is for the current item alone, whichever that is.
    fileprivate var steersItem: Bool {
        switch self {
        case .play, .playImmediately, .pause, .togglePlayback, .seek, .skip, .step, .setRate: true
        default: false
        }
    }
}

extension HTTPRequest {
    /// The token of `Authorization: Bearer …` (RFC 6750 §2.1); nil without.
    var bearerToken: String? {
        guard let value = headers["Authorization"] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1].drop { $0 == " " })
    }
}
