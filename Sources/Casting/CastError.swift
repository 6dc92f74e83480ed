/// What went wrong, in words for people and a code for programs.
///
/// The same value reaches the screen, the sender and the log.
public struct CastError: Error, Codable, Hashable, Sendable {
    /// A stable name for the kind of failure. Codes may be added; an unknown one is to be treated as `unknown`.
    public struct Code: RawRepresentable, Codable, Hashable, Sendable {
        /// The name on the wire.
        public let rawValue: String

        /// A code by its name on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }
        private init(_ name: String) { rawValue = name }
    }

    /// The kind of failure.
    public var code: Code
    /// One plain sentence: what failed.
    public var message: String
    /// One plain sentence: what to do about it.
    public var hint: String?
    /// Particulars for programs and logs, such as the HTTP status. Never secrets.
    public var details: [String: String]?

    /// An error of a kind, with its sentences.
    public init(_ code: Code, _ message: String, hint: String? = nil, details: [String: String]? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.details = details
    }
}

extension CastError: CustomStringConvertible {
    /// The sentence, and the hint after it.
    public var description: String {
        guard let hint else { return message }
        return message + " " + hint
    }
}

/// Failures of media. The names are AVFoundation's and NSURLError's where those have one.
extension CastError.Code {
    /// No reason is known.
    public static let unknown = Self("unknown")
    /// The server's name has no address.
    public static let cannotFindHost = Self("cannotFindHost")
    /// Nothing answers at the address.
    public static let cannotConnectToHost = Self("cannotConnectToHost")
    /// The server took too long.
    public static let timedOut = Self("timedOut")
    /// The connection broke and could not be made again.
    public static let networkConnectionLost = Self("networkConnectionLost")
    /// A secure connection could not be made.
    public static let secureConnectionFailed = Self("secureConnectionFailed")
    /// The server says there is no such thing (for example 404), at the start.
    public static let contentIsUnavailable = Self("contentIsUnavailable")
    /// The server wants other credentials (401, 403).
    public static let contentIsNotAuthorized = Self("contentIsNotAuthorized")
    /// The URL has stopped being valid in the middle (401, 403, 410), and no fresh one came.
    public static let urlExpired = Self("urlExpired")
    /// The media went away in the middle.
    public static let noLongerPlayable = Self("noLongerPlayable")
    /// The server's answer breaks the rules of HTTP (for example a wrong range).
    public static let serverIncorrectlyConfigured = Self("serverIncorrectlyConfigured")
    /// The bytes are no media that is known.
    public static let fileFormatNotRecognized = Self("fileFormatNotRecognized")
    /// The media is of a known kind but broken or incomplete.
    public static let fileFailedToParse = Self("fileFailedToParse")
    /// No decoder for the media's codec.
    public static let decoderNotFound = Self("decoderNotFound")
    /// The decoder gave up on the data.
    public static let decodeFailed = Self("decodeFailed")
    /// The media is encrypted.
    public static let contentIsProtected = Self("contentIsProtected")
    /// The URL is of a scheme other than http and https, or malformed.
    public static let unsupportedURL = Self("unsupportedURL")
    /// Something else took its place.
    public static let operationCancelled = Self("operationCancelled")
    /// The device for sound or picture cannot be used.
    public static let outputUnavailable = Self("outputUnavailable")
}

/// Failures of sessions and requests.
extension CastError.Code {
    /// The request makes no sense.
    public static let invalidRequest = Self("invalidRequest")
    /// There is no such path, session or item.
    public static let notFound = Self("notFound")
    /// The path knows no such method.
    public static let methodNotAllowed = Self("methodNotAllowed")
    /// The token is missing or wrong.
    public static let notAuthorized = Self("notAuthorized")
    /// Another sender holds the receiver.
    public static let receiverBusy = Self("receiverBusy")
    /// The session has ended, by takeover or disconnect.
    public static let sessionEnded = Self("sessionEnded")
    /// There is no item to do that with.
    public static let noCurrentItem = Self("noCurrentItem")
    /// The item cannot do that (for example seek in a stream that cannot).
    public static let operationNotSupported = Self("operationNotSupported")
    /// The request is larger than the receiver takes.
    public static let requestTooLarge = Self("requestTooLarge")
    /// The request's header is larger than the receiver takes.
    public static let headerTooLarge = Self("headerTooLarge")
    /// The request took too long to arrive.
    public static let requestTimedOut = Self("requestTimedOut")
    /// The body is of a media type that is not taken there.
    public static let unsupportedMediaType = Self("unsupportedMediaType")
    /// The receiver serves as many as it can.
    public static let receiverOverloaded = Self("receiverOverloaded")
    /// Too many connections, streams or requests.
    public static let tooManyRequests = Self("tooManyRequests")
    /// The Host header names another machine.
    public static let misdirectedRequest = Self("misdirectedRequest")
    /// No route by that name.
    public static let routeNotFound = Self("routeNotFound")
    /// The receiver does not answer.
    public static let receiverUnreachable = Self("receiverUnreachable")
    /// Nothing can be announced or found on the network: the Avahi daemon cannot be reached.
    public static let discoveryUnavailable = Self("discoveryUnavailable")
}

/// Failures of a program's own surroundings.
extension CastError.Code {
    /// A configuration file says something that cannot be.
    public static let invalidConfiguration = Self("invalidConfiguration")
    /// Another instance of the program is running on the same state.
    public static let alreadyRunning = Self("alreadyRunning")
    /// A file or folder cannot be read or written.
    public static let storageUnavailable = Self("storageUnavailable")
}
