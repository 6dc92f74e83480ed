import CCurl

/// An http or https URL, escaped where it must be, with its origin known.
struct WebURL: Sendable, Hashable {
    /// Who answers for a URL: headers with secrets may not go to another.
    struct Origin: Sendable, Hashable {
        var scheme: String
        var host: String
        var port: String
    }

    /// The URL as text, without a fragment.
    let text: String
    /// Whose it is.
    let origin: Origin

    /// Takes a URL as people give it: characters that may not stand in one are escaped, escapes are left as they are.
    ///
    /// - Throws: `unsupportedScheme`.
    init(_ given: String) throws(HTTPError) {
        guard let url = curl_url() else { throw unusable(given) }
        defer { curl_url_cleanup(url) }
        try self.init(url, setting: given)
    }

    /// The URL that a Location header given by this one means.
    ///
    /// - Throws: `unsupportedScheme`.
    func resolve(_ location: String) throws(HTTPError) -> WebURL {
        guard let url = curl_url() else { throw unusable(location) }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else { throw unusable(text) }
        return try WebURL(url, setting: location)
    }

    private init(_ url: OpaquePointer, setting text: String) throws(HTTPError) {
        guard curl_url_set(url, CURLUPART_URL, escaped(text), 0) == CURLUE_OK,
            curl_url_set(url, CURLUPART_FRAGMENT, nil, 0) == CURLUE_OK,
            let scheme = part(url, CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https",
            let host = part(url, CURLUPART_HOST), isHost(host),
            let port = part(url, CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)),
            let whole = part(url, CURLUPART_URL)
        else { throw unusable(text) }
        self.text = whole
        let zone = part(url, CURLUPART_ZONEID).map { "%" + $0 } ?? ""
        origin = Origin(scheme: scheme, host: host.lowercased() + zone, port: port)
    }
}

/// Whether a name may be looked up: libcurl undoes escapes in it, and lets control characters and broken UTF-8 pass.
private func isHost(_ host: String) -> Bool {
    !host.isEmpty && host.unicodeScalars.allSatisfy { $0.value > 32 && $0.value != 127 && $0 != "\u{FFFD}" }
}

private func part(_ url: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
}

private func unusable(_ text: String) -> HTTPError {
    // Without query and credentials: this may be logged.
    var shown = text.prefix { $0 != "?" && $0 != "#" }.prefix(200)
    if let at = shown.lastIndex(of: "@") { shown = "…" + shown[at...] }
    return HTTPError(.unsupportedScheme, "\(shown) is not an http or https URL.")
}

/// The text with every byte escaped that may not stand in a URL (RFC 3986 §2), and none escaped twice.
func escaped(_ text: String) -> String {
    let bytes = Array(trimmed(text).utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    let zone = zonePercent(bytes)
    for (index, byte) in bytes.enumerated() {
        let isEscape =
            byte == UInt8(ascii: "%") && index + 2 < bytes.count && hexValue(bytes[index + 1]) != nil
            && hexValue(bytes[index + 2]) != nil && index != zone
        if isEscape || isLetterOrDigit(byte) || "-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
            result.append(byte)
        } else {
            let digits = Array("0123456789ABCDEF".utf8)
            result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: result, as: UTF8.self)
}

/// Where an IPv6 address is parted from its scope by a percent sign that is not yet escaped: "[fe80::1%eth0]".
private func zonePercent(_ bytes: [UInt8]) -> Int? {
    // The host is what stands after name and password, and before the path.
    let start = bytes.indices.first {
        bytes[$0...].starts(with: "//".utf8) && ($0 == 0 || bytes[$0 - 1] == UInt8(ascii: ":"))
    }
    guard let start else { return nil }
    let authority = bytes[(start + 2)...].prefix { !"/?#".utf8.contains($0) }
    let open = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
    guard open < authority.endIndex, authority[open] == UInt8(ascii: "["),
        let end = authority[open...].firstIndex(of: UInt8(ascii: "]")),
        let percent = authority[open..<end].firstIndex(of: UInt8(ascii: "%"))
    else { return nil }
    return bytes[percent..<end].starts(with: "%25".utf8) && end - percent > 3 ? nil : percent
}

private func trimmed(_ text: String) -> Substring {
    var text = text[...]
    while text.first?.isWhitespace ?? false { text.removeFirst() }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return text
}

/// Addresses of the web as text.
public enum WebAddress {
    /// The absolute http or https address that one given in a document means; nil where it leads anywhere else.
    ///
    /// - Parameter base: the address of the document.
    public static func resolve(_ address: String, against base: String) -> String? {
        try? WebURL(base).resolve(address).text
    }
}
