public import FoundationEssentials

/// The first part of an answer: all but the body.
public struct HTTPResponseHead: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The URL that answered, after redirects.
    public var url: String

    /// Put together by hand.
    public init(status: Int, headers: HTTPHeaders = [:], url: String = "") {
        self.status = status
        self.headers = headers
        self.url = url
    }
}

/// A complete answer.
public struct HTTPClientResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body.
    public var body: Data
    /// The URL that answered, after redirects.
    public var effectiveURL: String
    /// The address of this machine that the answer came to, without port; empty where it is not known.
    public var localAddress: String

    /// Put together by hand.
    public init(
        status: Int, headers: HTTPHeaders = [:], body: Data = Data(), effectiveURL: String = "",
        localAddress: String = ""
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.effectiveURL = effectiveURL
        self.localAddress = localAddress
    }
}
