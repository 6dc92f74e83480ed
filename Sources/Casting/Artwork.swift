/// A picture that goes with an item, such as the cover of a record, as the bytes of an image file.
public struct Artwork: Hashable, Sendable {
    /// What kind of file it is, for example `image/jpeg`: by its bytes, whatever anybody says.
    public let mediaType: String
    /// The file.
    public let bytes: [UInt8]

    /// The picture in a file; nil where that is no JPEG, PNG, GIF, WebP or BMP.
    public init?(_ bytes: [UInt8]) {
        guard let type = Self.mediaType(beginning: bytes) else { return nil }
        mediaType = type
        self.bytes = bytes
    }

    /// The type of an image file by its first bytes; nil for any other file.
    public static func mediaType(beginning bytes: [UInt8]) -> String? {
        func begins(_ text: String, at place: Int = 0) -> Bool {
            bytes.dropFirst(place).starts(with: text.utf8)
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if begins("GIF8") { return "image/gif" }
        if begins("RIFF"), begins("WEBP", at: 8) { return "image/webp" }
        if begins("BM") { return "image/bmp" }
        return nil
    }
}
