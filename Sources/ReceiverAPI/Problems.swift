import Casting
public import HTTP

extension HTTPResponse {
    /// An error as `application/problem+json` (RFC 9457).
    /// - Parameter status: the HTTP status, where it is not the one that goes with the kind of error.
    static func problem(_ error: CastError, status: Int? = nil) -> HTTPResponse {
        var problem = ProblemDetails(error)
        if let status { problem.status = status }
        var response = HTTPResponse.json(problem, status: problem.status, contentType: ProblemDetails.mediaType)
        switch problem.status {
        case 401: response.headers.set("WWW-Authenticate", "Bearer realm=\"castway\"")
        case 429, 503: response.headers.set("Retry-After", "2")
        default: break
        }
        return response
    }
}

extension ReceiverAPI {
    /// The answer for a status that the server gives by itself, such as 413.
    public static func errorResponse(status: Int) -> HTTPResponse {
        let error =
            switch status {
            case 404: CastError(.notFound, "There is no such path.")
            case 405, 501: CastError(.methodNotAllowed, "This server does not know that method.")
            case 408: CastError(.requestTimedOut, "The request took too long to arrive.", hint: "Send it in one go.")
            case 413:
                CastError(
                    .requestTooLarge, "The request's body is too large.", hint: "Send less, or in several requests.")
            case 415: CastError(.unsupportedMediaType, "That is not a media type that is taken here.")
            case 421: CastError(.misdirectedRequest, "This receiver does not go by that name.")
            case 429:
                CastError(.tooManyRequests, "That is too much at once.", hint: "Close a connection, or wait a little.")
            case 431:
                CastError(.headerTooLarge, "The request's header is too large.", hint: "Send fewer or shorter headers.")
            case 503:
                CastError(.receiverOverloaded, "The receiver serves as many as it can.", hint: "Try again in a little.")
            case 400..<500: CastError(.invalidRequest, "The request is not well-formed HTTP.")
            default: CastError(.unknown, "Something went wrong in the receiver.", hint: "Its log says more.")
            }
        var response = HTTPResponse.problem(error)
        guard response.status != status else { return response }
        // One of the kinds above, under the very status that the server has.
        var problem = ProblemDetails(error)
        problem.status = status
        response = .json(problem, status: status, contentType: ProblemDetails.mediaType)
        return response
    }
}
