import CAvahi

/// Names of service instances: one DNS label, 1 to 63 bytes of UTF-8 (RFC 6763 §4.1.1).
enum ServiceName {
    /// The longest name, in bytes of UTF-8.
    static let longest = 63

    /// The name as it can be announced: printable, and cut on a character's boundary.
    static func usable(_ wish: String) -> String {
        let name = printable(prefix(of: printable(wish), bytes: longest))
        return name.isEmpty ? "castway" : name
    }

    /// The name to try where `name` is taken: "TV", "TV #2", "TV #3" and so on.
    static func alternative(to name: String) -> String {
        // The answer is ours to free; nil only where the name was not usable.
        guard let text = avahi_alternative_service_name(usable(name)) else { return "castway" }
        defer { avahi_free(text) }
        return usable(String(cString: text))
    }
}
