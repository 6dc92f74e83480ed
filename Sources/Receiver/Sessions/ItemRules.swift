import Casting
import FoundationEssentials

/// What an item must be like.
enum ItemRules {
    /// Headers that are the client's own affair, or would break ranges, lengths or decoding.
    private static let forbiddenHeaders: Set<String> = [
        "accept-encoding", "connection", "content-length", "content-type", "expect", "host", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "proxy-authorization",
        "proxy-connection", "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// - Parameter field: what stands before a field's name in an error, such as `items[3].`.
    static func check(_ item: MediaItem, field: String) throws(CastError) {
        try checkURL(item.url, field: field + "url")
        if let id = item.id { try checkText(id, upTo: 128, field: field + "id") }
        if let title = item.title { try checkLength(title, 1024, field: field + "title") }
        if let artist = item.artist { try checkLength(artist, 1024, field: field + "artist") }
        if let artwork = item.artworkURL { try checkURL(artwork, field: field + "artworkURL") }
        if let type = item.contentType { try checkText(type, upTo: 255, field: field + "contentType") }
        if let start = item.startPosition {
            try CommandRules.number(start, in: 0...1e9, field: field + "startPosition")
        }
        if let rate = item.rate {
            try CommandRules.number(rate, in: PlaybackState.rates, field: field + "rate")
        }
        if let duration = item.pictureDuration {
            try CommandRules.number(duration, in: 0.1...86_400, field: field + "pictureDuration")
        }
        if let headers = item.headers { try check(headers, field: field + "headers") }
        if let languages = item.preferredLanguages {
            guard languages.count <= 32 else {
                throw CastError(field: field + "preferredLanguages", "must hold at most 32")
            }
            for (index, language) in languages.enumerated() {
                try checkText(language, upTo: 64, field: field + "preferredLanguages[\(index)]")
            }
        }
        if let subtitles = item.subtitles {
            guard subtitles.count <= 64 else { throw CastError(field: field + "subtitles", "must hold at most 64") }
            for (index, subtitle) in subtitles.enumerated() {
                let field = field + "subtitles[\(index)]."
                try checkURL(subtitle.url, field: field + "url")
                if let language = subtitle.language { try checkText(language, upTo: 64, field: field + "language") }
                if let name = subtitle.name { try checkLength(name, 1024, field: field + "name") }
            }
        }
    }

    static func check(_ headers: [String: String], field: String) throws(CastError) {
        guard headers.count <= 64 else { throw CastError(field: field, "must hold at most 64 headers") }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            // The name is shown only where it can do no harm in a log.
            guard !name.isEmpty, name.utf8.count <= 256, name.utf8.allSatisfy(isTokenByte) else {
                throw CastError(field: field, "holds a name that is no header's name (RFC 9110 §5.1)")
            }
            guard !forbiddenHeaders.contains(name.lowercased()) else {
                throw CastError(field: "\(field).\(name)", "is a header that the receiver sets itself")
            }
            guard value.utf8.count <= 8192, value.utf8.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) else {
                throw CastError(field: "\(field).\(name)", "must be one line of at most 8192 bytes")
            }
        }
    }

    static func checkURL(_ text: String, field: String) throws(CastError) {
        guard text.utf8.count <= 8192 else {
            throw CastError(field: field, "must be at most 8192 bytes long", code: .unsupportedURL)
        }
        // People paste addresses with spaces in them; they are escaped on the way to the server.
        let isPrintable = text.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
        let afterScheme = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let authority = afterScheme.prefix { !"/?#".contains($0) }
        guard isPrintable, !authority.contains(" "), text.first != " ", let url = URL(string: text),
            let scheme = url.scheme?.lowercased()
        else {
            throw CastError(
                field: field, "must be an absolute URL", code: .unsupportedURL,
                hint: "It begins with http:// or https://.")
        }
        guard scheme == "http" || scheme == "https" else {
            throw CastError(
                field: field, "must be an http or https URL", code: .unsupportedURL,
                hint: "A file on your own machine is cast with castsend, which serves it.")
        }
        guard let host = url.host(), !host.isEmpty, url.port.map({ (1...65535).contains($0) }) ?? true else {
            throw CastError(field: field, "must name a host", code: .unsupportedURL)
        }
    }

    /// A text that is there, in one line.
    static func checkText(_ text: String, upTo length: Int, field: String) throws(CastError) {
        guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
            throw CastError(field: field, "must be one line of text")
        }
        try checkLength(text, length, field: field)
    }

    private static func checkLength(_ text: String, _ length: Int, field: String) throws(CastError) {
        guard text.utf8.count <= length else { throw CastError(field: field, "must be at most \(length) bytes long") }
    }

    /// A byte of a token (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
