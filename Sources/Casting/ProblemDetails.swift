/// A `CastError` as an HTTP answer says it: `application/problem+json` (RFC 9457).
public struct ProblemDetails: Codable, Hashable, Sendable {
    /// The media type of such an answer.
    public static let mediaType = "application/problem+json"
    private static let typePrefix = "urn:castway:error:"

    /// A URI that names the kind of failure: `urn:castway:error:` and the error's code.
    public var type: String
    /// One plain sentence: what failed.
    public var title: String
    /// The HTTP status of the answer.
    public var status: Int
    /// One plain sentence: what to do about it.
    public var detail: String?
    /// Particulars for programs.
    public var details: [String: String]?

    /// The answer that says `error`.
    public init(_ error: CastError) {
        type = Self.typePrefix + error.code.rawValue
        title = error.message
        status = error.code.httpStatus
        detail = error.hint
        details = error.details
    }

    /// The error that this answer says.
    public var error: CastError {
        let name = type.hasPrefix(Self.typePrefix) ? String(type.dropFirst(Self.typePrefix.count)) : "unknown"
        return CastError(CastError.Code(rawValue: name), title, hint: detail, details: details)
    }
}

extension CastError.Code {
    /// The HTTP status (RFC 9110 §15) that says this kind of failure.
    public var httpStatus: Int {
        switch self {
        case .invalidRequest, .unsupportedURL: 400
        case .notAuthorized: 401
        case .notFound: 404
        case .methodNotAllowed: 405
        case .receiverBusy, .noCurrentItem, .operationNotSupported, .operationCancelled: 409
        case .requestTimedOut: 408
        case .sessionEnded: 410
        case .requestTooLarge: 413
        case .unsupportedMediaType: 415
        case .misdirectedRequest: 421
        case .tooManyRequests: 429
        case .headerTooLarge: 431
        case .outputUnavailable, .receiverOverloaded: 503
        case .unknown, .storageUnavailable: 500
        // The media's own failures: the request was right, what it names was not.
        default: 422
        }
    }
}
