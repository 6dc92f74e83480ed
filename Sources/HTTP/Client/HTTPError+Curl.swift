import CCurl

extension HTTPError {
    /// What curl's code means, in a sentence with the server's name.
    init(_ code: CURLcode, origin: WebURL.Origin) {
        let host = origin.host
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            self.init(.cannotFindHost, "No machine by the name of \(host) was found.")
        case CURLE_COULDNT_RESOLVE_PROXY:
            self.init(.cannotFindHost, "The proxy was not found.")
        case CURLE_COULDNT_CONNECT:
            self.init(.cannotConnectToHost, "Nothing answers at \(host), port \(origin.port).")
        case CURLE_OPERATION_TIMEDOUT:
            self.init(.timedOut, "\(host) took too long to answer.")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
            self.init(.secureConnectionFailed, "A secure connection to \(host) could not be made.")
        case CURLE_URL_MALFORMAT:
            self.init(.unsupportedScheme, "The URL cannot be used.")
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            self.init(.connectionLost, "The connection to \(host) broke.")
        default:
            self.init(.badResponse, "\(host) gave an answer that is not proper HTTP.")
        }
    }

    /// The caller gave it up.
    static let givenUp = HTTPError(.cancelled, "The transfer was given up.")
}
