/// Another URL for the same media, byte for byte: the body of `PUT …/item/source`.
///
/// URLs of stores and clouds stop being valid after a while. The position, the tracks and what is buffered stay.
public struct SourceRenewal: Codable, Hashable, Sendable {
    /// Where the media is from now on: an absolute http or https URL.
    public var url: String
    /// Request headers for the origin of `url`, in place of those before; as they were where absent.
    public var headers: [String: String]?
    /// The id of the item it is for; the current one where absent.
    public var itemID: String?

    /// The media is at `url`.
    public init(url: String, headers: [String: String]? = nil, itemID: String? = nil) {
        self.url = url
        self.headers = headers
        self.itemID = itemID
    }
}

/// A URL that has stopped being valid while its item plays. What is buffered plays on meanwhile.
public struct URLExpiry: Codable, Hashable, Sendable {
    /// The item it happened to.
    public var itemID: String
    /// The HTTP status by which the server said so: 401, 403 or 410.
    public var status: Int
    /// Seconds in which a fresh URL is of use, from the event on; after that the item fails with `urlExpired`.
    public var timeout: Double

    /// An expiry of an item's URL.
    public init(itemID: String, status: Int, timeout: Double) {
        self.itemID = itemID
        self.status = status
        self.timeout = timeout
    }
}
