public import Casting

/// Where media is and how to ask for it.
public struct MediaLocation: Hashable, Sendable {
    /// An absolute http or https URL.
    public var url: String
    /// Request headers for the origin of `url`; never sent to another.
    public var headers: [String: String]
    /// The media type, where someone knows it better than the server.
    public var contentType: String?

    /// A location by its URL.
    public init(url: String, headers: [String: String] = [:], contentType: String? = nil) {
        self.url = url
        self.headers = headers
        self.contentType = contentType
    }

    /// Where an item's media is.
    public init(_ item: MediaItem) {
        self.init(url: item.url, headers: item.headers ?? [:], contentType: item.contentType)
    }
}
