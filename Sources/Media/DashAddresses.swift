/// The addresses that a manifest of DASH (ISO 23009-1) names.
///
/// libavformat opens what such a manifest leads to by itself, so the manifest is looked at first: one that names anything
/// but http and https is not opened at all.
enum DashAddresses {
    /// Whether a manifest leads to the web alone. Says no where it is not sure.
    static func areWeb(_ manifest: String) -> Bool {
        // Documents that define words of their own could hide an address behind one.
        guard !manifest.contains("<!DOCTYPE"), !manifest.contains("<!ENTITY") else { return false }
        guard let manifest = withoutComments(manifest) else { return false }
        for place in manifest.split(separator: "<") {
            // CDATA would need a reader of its own; addresses are not written so.
            guard !place.hasPrefix("![CDATA[") else { return false }
            guard place.contains(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) else { continue }
            guard let end = endOfTag(place) else { return false }
            let tag = place[..<end]
            let name = localName(tag.prefix { !$0.isWhitespace && $0 != "/" })
            if ["BaseURL", "Location"].contains(name), !isWeb(String(place[place.index(after: end)...])) {
                return false
            }
            for (attribute, value) in attributes(tag) where addressed.contains(localName(attribute)) {
                guard isWeb(value) else { return false }
            }
        }
        return true
    }

    private static let addressed: Set<Substring> = [
        "media", "initialization", "index", "sourceURL", "href", "bitstreamSwitching",
    ]

    private static func withoutComments(_ text: String) -> String? {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "<!--") {
            result += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstRange(of: "-->") else { return nil }
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    /// Where the tag that a text begins with ends: at the first ">" that stands in no quotation marks.
    private static func endOfTag(_ text: Substring) -> Substring.Index? {
        var mark: Character?
        for index in text.indices {
            switch text[index] {
            case ">" where mark == nil: return index
            case let sign where sign == mark: mark = nil
            case "\"" where mark == nil: mark = "\""
            case "'" where mark == nil: mark = "'"
            default: break
            }
        }
        return nil
    }

    /// A name without its namespace.
    private static func localName(_ name: Substring) -> Substring {
        name.split(separator: ":").last ?? name
    }

    /// The attributes of a tag, whatever quotation marks they have.
    private static func attributes(_ tag: Substring) -> [(name: Substring, value: String)] {
        var result: [(Substring, String)] = []
        var rest = tag
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].split { $0.isWhitespace }.last ?? ""
            rest = rest[rest.index(after: equals)...].drop { $0.isWhitespace }
            guard let mark = rest.first, mark == "\"" || mark == "'" else { continue }
            let value = rest.dropFirst().prefix { $0 != mark }
            result.append((name, String(value)))
            rest = rest.dropFirst(value.count + 2)
        }
        return result
    }

    /// Whether an address is http, https, or relative to one that is.
    private static func isWeb(_ text: String) -> Bool {
        guard let text = plain(text) else { return false }
        let start = text.drop { $0.isWhitespace }
        let scheme = start.prefix { $0.isLetter || $0.isNumber || "+-.,".contains($0) }
        guard start.dropFirst(scheme.count).first == ":" else {
            // "subfile,,start,0,end,9,,:": options stand between a scheme and its colon.
            return !scheme.contains(",")
        }
        return ["http", "https"].contains(scheme.lowercased())
    }

    /// The text with references to characters put in; nil where there is one that is not known.
    private static func plain(_ text: String) -> String? {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            let after = rest[rest.index(after: start)...]
            guard let end = after.firstIndex(of: ";") else { return nil }
            switch after[..<end] {
            case "amp": result += "&"
            case "lt": result += "<"
            case "gt": result += ">"
            case "quot": result += "\""
            case "apos": result += "'"
            case let name where name.hasPrefix("#x"):
                guard let scalar = UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init) else { return nil }
                result.unicodeScalars.append(scalar)
            case let name where name.hasPrefix("#"):
                guard let scalar = UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) else { return nil }
                result.unicodeScalars.append(scalar)
            default: return nil
            }
            rest = after[after.index(after: end)...]
        }
        return result + rest
    }
}
