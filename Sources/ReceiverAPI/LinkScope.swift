import Casting

/// The network interface on which a sender was heard, for the URLs it gives.
///
/// An IPv6 link-local address means nothing without an interface, and the sender's own name for one means nothing here
/// (RFC 4007 §6): a URL with such an address is taken to be on the link by which the sender itself came.
struct LinkScope: Hashable, Sendable {
    /// As `eth0`.
    let interface: String

    /// The interface of a peer's address, as `fe80::1%eth0`; nil for any other.
    init?(peer: String) {
        let parts = peer.split(separator: "%", maxSplits: 1)
        guard parts.count == 2, Self.isLinkLocal(parts[0]) else { return nil }
        interface = String(parts[1])
    }

    /// The URL with the interface in it, where it needs one and has none (RFC 6874 §2).
    func url(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        let authority = text[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
        guard let open = authority.lastIndex(of: "["), let end = authority[open...].firstIndex(of: "]") else {
            return text
        }
        // One with an interface already has a percent sign, which is in no address.
        let address = authority[authority.index(after: open)..<end]
        guard Self.isLinkLocal(address), !address.contains("%") else { return text }
        return text[..<end] + "%25" + interface + text[end...]
    }

    /// Whether an IPv6 address is in fe80::/10 (RFC 4291 §2.5.6).
    private static func isLinkLocal(_ address: Substring) -> Bool {
        guard let first = address.split(separator: ":", maxSplits: 1).first, first.count == 4,
            let group = UInt16(first, radix: 16)
        else { return false }
        return group & 0xffc0 == 0xfe80
    }
}

extension MediaItem {
    /// The item with link-local addresses made whole.
    func reached(by link: LinkScope?) -> MediaItem {
        guard let link else { return self }
        var item = self
        item.url = link.url(url)
        item.artworkURL = artworkURL.map(link.url)
        item.subtitles = subtitles?.map { subtitles in
            var subtitles = subtitles
            subtitles.url = link.url(subtitles.url)
            return subtitles
        }
        return item
    }
}
