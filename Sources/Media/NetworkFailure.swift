import Casting
import HTTP

/// The sentences for what HTTP reports.
extension CastError {
    /// A failed transfer.
    ///
    /// - Parameter opening: whether nothing has come of this media yet.
    init(_ error: HTTPError, opening: Bool) {
        switch error.code {
        case .cannotFindHost:
            self.init(
                .cannotFindHost, "The server's name is not known.", hint: "Check the address for a typing mistake.")
        case .cannotConnectToHost:
            self.init(
                .cannotConnectToHost, "The server cannot be reached.",
                hint: "Check that it is running and that no firewall is in the way.")
        case .timedOut:
            self = .timedOut
        case .secureConnectionFailed:
            self.init(
                .secureConnectionFailed, "A secure connection to the server could not be made.",
                hint: "Its certificate may be wrong or out of date.")
        case .tooManyRedirects:
            self.init(
                .serverIncorrectlyConfigured, "The server keeps pointing to other addresses.",
                hint: "Check the address.")
        case .unsupportedScheme:
            self = .unsupportedURL
        case .badResponse:
            self.init(
                .serverIncorrectlyConfigured, "The server's answer makes no sense.",
                hint: "Check that the address leads to a web server.")
        case .cancelled:
            self = .cancelled
        default:
            self.init(
                .networkConnectionLost,
                opening ? "The server closed the connection." : "The connection to the server was lost.",
                hint: "Check the network, then try again.")
        }
    }

    /// An answer that is no success.
    ///
    /// - Parameter opening: whether nothing has come of this media yet.
    init(status: Int, opening: Bool) {
        let details = ["status": String(status)]
        switch status {
        case 401, 403, 407:
            self.init(
                .contentIsNotAuthorized, "The server does not allow access to this media (\(status)).",
                hint: "The link may have expired: open it again at its source.", details: details)
        case 404, 410:
            self.init(
                opening ? .contentIsUnavailable : .noLongerPlayable,
                opening
                    ? "There is no media at this address (\(status))." : "The media is no longer there (\(status)).",
                hint: "Check the address.", details: details)
        case 500...599:
            self.init(
                opening ? .contentIsUnavailable : .noLongerPlayable, "The server has a problem (\(status)).",
                hint: "Try again later.", details: details)
        default:
            self.init(
                opening ? .contentIsUnavailable : .noLongerPlayable,
                "The server refuses to send this media (\(status)).",
                hint: "Check the address.", details: details)
        }
    }

    /// A URL that cannot be played for what it is.
    static let unsupportedURL = CastError(
        .unsupportedURL, "This kind of address cannot be played.", hint: "Use one that begins with http:// or https://."
    )

    /// The server has another file now than at the start.
    static let changed = CastError(
        .noLongerPlayable, "The media on the server has changed.", hint: "Start it again.")

    /// The server sent another part than asked for.
    static let wrongRange = CastError(
        .serverIncorrectlyConfigured, "The server sends other parts of the media than asked for.",
        hint: "Try another server.")
}
