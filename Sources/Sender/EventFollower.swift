public import Casting
import FoundationEssentials
import HTTP

/// What a follower hears.
public enum FollowUpdate: Hashable, Sendable {
    /// Something happened at the receiver.
    case event(Event)
    /// The receiver has gone silent; it is tried again.
    case interrupted
    /// The receiver is there again. What has happened meanwhile follows, if anything.
    case resumed
}

/// Follows a session's events: complete state first, then everything in order. A broken connection is made again where
/// it left off.
public struct EventFollower: Sendable {
    let session: SessionClient
    /// Seconds of item time from one `progress` to the next.
    let progressInterval: Double
    let policy: ReconnectPolicy

    /// A follower of a session.
    public init(_ session: SessionClient, progressInterval: Double = 1) {
        self.init(session, progressInterval: progressInterval, policy: ReconnectPolicy())
    }

    init(_ session: SessionClient, progressInterval: Double, policy: ReconnectPolicy) {
        self.session = session
        self.progressInterval = progressInterval
        self.policy = policy
    }

    /// The events, from now until the session ends.
    ///
    /// Ends after `routeLost`. Fails with a `CastError`: `receiverUnreachable` where the receiver cannot be had back
    /// (`ReconnectPolicy`), or what it says where the session is no more. Dropping the stream ends the connection.
    public func updates() -> AsyncThrowingStream<FollowUpdate, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await follow { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func follow(_ yield: (FollowUpdate) -> Void) async throws(CastError) {
        var attempts = Attempts(policy: policy)
        var lastID: String?
        var isInterrupted = false
        while true {
            let failure: CastError
            do {
                let limit = attempts.isFirst ? policy.firstAnswer : policy.answer
                for try await element in stream(after: lastID).opened(within: limit) {
                    attempts.heard(at: .now)
                    if isInterrupted { yield(.resumed) }
                    isInterrupted = false
                    guard case .event(let message) = element else { continue }
                    if let id = message.id { lastID = id }
                    guard let event = try Event(name: message.event ?? "message", payload: Data(message.data.utf8))
                    else { continue }
                    yield(.event(event))
                    if case .routeLost = event { return }
                }
                failure = session.receiver.unreachable(HTTPError(.connectionLost, "The stream ended."))
            } catch {
                failure = try explained(error)
            }
            if Task.isCancelled { throw CastError(.operationCancelled, "Nobody follows any more.") }
            guard let delay = attempts.delayAfterFailure(at: .now) else { throw failure }
            yield(.interrupted)
            isInterrupted = true
            try? await Task.sleep(for: .seconds(delay))
        }
    }

    private func stream(after lastID: String?) -> AsyncThrowingStream<HTTPEventStreamElement, any Error> {
        var headers = ReceiverClient.headers(token: session.key.token)
        if let lastID { headers["Last-Event-ID"] = lastID }
        let address = session.receiver.endpoint.httpOrigin + session.path
        return session.receiver.http.events(
            "\(address)/events?progressInterval=\(progressInterval)", headers: headers, silence: policy.silence,
            connectTimeout: policy.connectTimeout)
    }

    /// The failure to give up with, should it come to that. Throws what trying again cannot help.
    private func explained(_ error: any Error) throws(CastError) -> CastError {
        guard let error = error as? HTTPError else {
            return CastError(
                .receiverUnreachable, "\(session.receiver.name) sent an event that makes no sense.",
                hint: "Check that castsend and castreceiver are of the same version.")
        }
        if let response = error.response, let problem = session.receiver.problem(response) {
            // Anything but the session's end may pass: a receiver that is going down has no room for streams, say.
            guard problem.meansSessionGone else { return problem }
            throw problem
        }
        return session.receiver.unreachable(error)
    }
}

extension AsyncThrowingStream where Element == HTTPEventStreamElement, Failure == any Error {
    /// The same stream, which fails with `timedOut` where it is not opened in time.
    ///
    /// A receiver that hangs still accepts connections; it just never answers.
    fileprivate func opened(within seconds: Double) -> Self {
        Self { continuation in
            let alarm = Task {
                try await Task.sleep(for: .seconds(seconds))
                continuation.finish(throwing: HTTPError(.timedOut, "The answer did not come in time."))
            }
            let relay = Task {
                do {
                    for try await element in self {
                        if case .opened = element { alarm.cancel() }
                        continuation.yield(element)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in
                alarm.cancel()
                relay.cancel()
            }
        }
    }
}
