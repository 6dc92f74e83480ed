import Arguments
import Casting
import FoundationEssentials

/// What is to be played, as the command line names it.
enum Source {
    /// A web address.
    case url(String)
    /// A file of this machine.
    case file(String)

    /// Reads an argument.
    init(_ text: String) throws(UsageError) {
        guard let colon = text.firstRange(of: "://") else {
            self = .file(text)
            return
        }
        switch text[..<colon.lowerBound].lowercased() {
        case "http", "https":
            guard let url = URL(string: text), let host = url.host(), !host.isEmpty else {
                throw UsageError("“\(text)” is no complete web address.")
            }
            self = .url(text)
        case "file": self = .file(URL(string: text)?.path(percentEncoded: false) ?? String(text[colon.upperBound...]))
        case let scheme:
            throw UsageError(
                "castsend cannot play from “\(scheme)”.", hint: "It plays http and https addresses, and files.")
        }
    }

    /// What to call it where no title is given: a file's name without its extension; nothing for an address.
    var title: String? {
        guard case .file(let path) = self, let name = path.split(separator: "/").last else { return nil }
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
        return String(stem.isEmpty ? name : stem)
    }

    /// The headers of `--header 'NAME: VALUE'`.
    static func headers(_ texts: [String]) throws(UsageError) -> [String: String]? {
        var headers: [String: String] = [:]
        for text in texts {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].trimmed
            guard parts.count == 2, !name.isEmpty else {
                throw UsageError("--header wants “NAME: VALUE”, not “\(text)”.")
            }
            headers[name] = parts[1].trimmed
        }
        return headers.isEmpty ? nil : headers
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? "")
    }
}
