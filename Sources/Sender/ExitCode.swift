public import Casting

/// What a run of castsend came to, for scripts.
public enum ExitCode: Int32, Sendable {
    /// Done.
    case done = 0
    /// What there was to say could not be written.
    case output = 1
    /// The command line makes no sense.
    case usage = 2
    /// There is no such receiver, or it is not clear which is meant.
    case noRoute = 3
    /// The receiver refused: busy, not authorized, or it cannot do that now.
    case refused = 4
    /// The media cannot be played.
    case mediaFailed = 5
    /// The receiver does not answer.
    case network = 6

    /// What an error comes to.
    public init(_ error: CastError) {
        switch error.code {
        case .invalidRequest: self = .usage
        case .routeNotFound: self = .noRoute
        case .receiverUnreachable, .discoveryUnavailable, .misdirectedRequest, .requestTimedOut, .unknown:
            self = .network
        case .receiverBusy, .notAuthorized, .sessionEnded, .notFound, .noCurrentItem, .operationNotSupported,
            .operationCancelled, .methodNotAllowed, .requestTooLarge, .headerTooLarge, .unsupportedMediaType,
            .tooManyRequests, .receiverOverloaded, .storageUnavailable:
            self = .refused
        default: self = .mediaFailed
        }
    }

    /// What losing the receiver comes to.
    public init(_ loss: RouteLoss) {
        switch loss.reason {
        case .endedAtReceiver, .disconnected: self = .done
        case .takenOver: self = .refused
        case .receiverStopping: self = .network
        }
    }
}
