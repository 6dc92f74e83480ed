/// A language as people and media name it, as a BCP 47 tag (RFC 5646), with the lookup that finds it among others.
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
    /// The tag: two letters for a language that has them, a script with a capital, a region in capitals: `zh-Hant-TW`.
    public let text: String

    /// The tag that a text stands for; nil for one that names no language (empty, `und`, `mul`, `zxx`, `mis`, not a tag).
    ///
    /// Takes what containers hold: three letters of ISO 639-2 of both kinds (`ger`, `deu`), `pt_BR`, `EN-us`.
    public init?(_ text: String) {
        let parts = text.split { $0 == "-" || $0 == "_" || $0 == "." || $0 == "@" || $0 == " " }.map { $0.lowercased() }
        guard let first = parts.first, (2...8).contains(first.utf8.count), first.utf8.allSatisfy(Self.isLetter) else {
            return nil
        }
        let language = LanguageNames.shortCode(first) ?? first
        guard !["und", "mul", "zxx", "mis"].contains(language) else { return nil }
        // A whole word is a language's name only where it is known as one.
        guard language.utf8.count <= 3 else { return nil }
        var result = language
        for part in parts.dropFirst() {
            let letters = part.utf8.allSatisfy(Self.isLetter)
            switch part.utf8.count {
            case 4 where letters: result += "-" + part.prefix(1).uppercased() + part.dropFirst()
            case 2 where letters: result += "-" + part.uppercased()
            case 3 where part.utf8.allSatisfy { (48...57).contains($0) }: result += "-" + part
            default: continue
            }
        }
        self.text = result
    }

    /// The tag.
    public var description: String { text }

    /// The language without script and region.
    public var language: String { String(text.prefix { $0 != "-" }) }

    /// What the language is called in English; the tag where that is not known.
    public var name: String {
        guard let name = LanguageNames.name(of: language) else { return text }
        let rest = text.dropFirst(language.count + 1)
        return rest.isEmpty ? name : "\(name) (\(rest))"
    }

    /// How well this tag answers a wish for `wanted`, 0 best; nil where it is another language.
    ///
    /// First the tag itself; then what is more particular than the wish (`en` is answered by `en-US`); then what is more
    /// general, the wish cut from its end (RFC 4647 §3.4); at last the same language of elsewhere.
    public func distance(from wanted: LanguageTag) -> Int? {
        guard language == wanted.language else { return nil }
        if text == wanted.text { return 0 }
        if text.hasPrefix(wanted.text + "-") { return 1 }
        if wanted.text.hasPrefix(text + "-") { return 2 }
        return script == wanted.script ? 3 : 4
    }

    private var script: Substring? { text.split(separator: "-").dropFirst().first { $0.utf8.count == 4 } }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
}

extension LanguageTag: Codable {
    /// Reads a text that is a tag.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let tag = LanguageTag(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no language tag")
        }
        self = tag
    }

    /// Writes the tag.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
