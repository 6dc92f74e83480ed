public import FoundationEssentials

/// A request as the server hands it to its handler: complete and within the limits.
public struct HTTPRequest: Sendable {
    /// The method as sent, such as "GET"; may be any token.
    public var method: String
    /// The path as sent, still percent-encoded, without the query.
    public var path: String
    /// The path's segments, each percent-decoded; "." and ".." are resolved and never go above the root, empty ones left out.
    public var pathComponents: [String]
    /// The query's names and values, decoded; of a repeated name the first.
    public var query: [String: String]
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body; empty where there is none.
    public var body: Data
    /// The other side's address without port; IPv4 also where the socket is IPv6.
    public var peer: String

    /// A request put together by hand, as tests of handlers do.
    ///
    /// - Parameter target: path and query. One that cannot be decoded gives no components.
    public init(method: String, target: String, headers: HTTPHeaders = [:], body: Data = Data(), peer: String = "") {
        let parsed = RequestTarget(target)
        self.method = method
        path = parsed?.path ?? target
        pathComponents = parsed?.components ?? []
        query = parsed?.query ?? [:]
        self.headers = headers
        self.body = body
        self.peer = peer
    }
}
