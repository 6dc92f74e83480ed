/// Why a request, a transfer or a server did not work.
public struct HTTPError: Error, Sendable {
    /// The kind of failure. Kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        private init(_ name: String) { rawValue = name }

        /// The name has no address.
        public static let cannotFindHost = Self("cannotFindHost")
        /// Nothing answers at the address.
        public static let cannotConnectToHost = Self("cannotConnectToHost")
        /// It took too long.
        public static let timedOut = Self("timedOut")
        /// The connection broke, or the body ended before its announced end.
        public static let connectionLost = Self("connectionLost")
        /// TLS could not be agreed on, or the certificate is not trusted.
        public static let secureConnectionFailed = Self("secureConnectionFailed")
        /// More than 8 redirects.
        public static let tooManyRedirects = Self("tooManyRedirects")
        /// The URL is malformed, or neither http nor https.
        public static let unsupportedScheme = Self("unsupportedScheme")
        /// The answer breaks the rules of HTTP, or is not of the kind that was asked for.
        public static let badResponse = Self("badResponse")
        /// The caller gave it up.
        public static let cancelled = Self("cancelled")
        /// Another program listens on the port.
        public static let portInUse = Self("portInUse")
        /// The server cannot listen, for another reason than the port.
        public static let cannotListen = Self("cannotListen")
    }

    /// The kind of failure.
    public var code: Code
    /// One plain sentence.
    public var message: String
    /// The answer, where there was one and it is what is wrong.
    public var response: HTTPClientResponse?

    /// A failure of a kind.
    public init(_ code: Code, _ message: String, response: HTTPClientResponse? = nil) {
        self.code = code
        self.message = message
        self.response = response
    }
}

extension HTTPError: CustomStringConvertible {
    /// The sentence.
    public var description: String { message }
}
