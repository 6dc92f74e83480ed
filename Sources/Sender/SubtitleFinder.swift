import FoundationEssentials

/// Finds the subtitles that lie beside a film, by their names: `film.srt`, `film.en.srt`, `film.de.forced.ass`.
public enum SubtitleFinder {
    /// A file of subtitles.
    public struct Found: Hashable, Sendable {
        /// Where it is.
        public var path: String
        /// Its language, a BCP 47 tag; nil where its name does not say.
        public var language: String?
        /// What else its name says; nil where it says nothing.
        public var name: String?

        /// A file, as its name describes it.
        public init(path: String, language: String? = nil, name: String? = nil) {
            self.path = path
            self.language = language
            self.name = name
        }
    }

    /// The extensions of files that are taken for subtitles.
    public static let extensions: Set<String> = ["srt", "vtt", "ass", "ssa", "sup", "smi", "sami"]
    /// How many are taken at most.
    static let limit = 32

    /// The subtitles beside a film, those without a language first.
    public static func beside(_ film: String) -> [Found] {
        let folder = film.lastIndex(of: "/").map { String(film[..<$0]) } ?? "."
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "/" : folder)) ?? []
        let name = film.split(separator: "/").last.map(String.init) ?? film
        return choose(among: names, for: name).map { found in
            var found = found
            found.path = folder + "/" + found.path
            return found
        }
    }

    /// Which of a folder's files are a film's subtitles.
    static func choose(among names: [String], for film: String) -> [Found] {
        let stem = film.lastIndex(of: ".").map { film[..<$0] } ?? film[...]
        guard !stem.isEmpty else { return [] }
        let found = names.compactMap { name -> Found? in
            guard name != film, name.hasPrefix(stem) else { return nil }
            let rest = name.dropFirst(stem.count)
            guard rest.first == ".", let dot = rest.lastIndex(of: "."),
                extensions.contains(rest[rest.index(after: dot)...].lowercased())
            else { return nil }
            return describe(name, middle: rest[..<dot])
        }
        return Array(found.sorted { ($0.language ?? "", $0.path) < ($1.language ?? "", $1.path) }.prefix(limit))
    }

    /// What the words between a film's name and the extension say: `.en`, `.pt-BR.forced`.
    private static func describe(_ name: String, middle: Substring) -> Found {
        var found = Found(path: name)
        var words: [Substring] = []
        for word in middle.split(separator: ".") {
            if found.language == nil, isLanguage(word) {
                found.language = String(word.map { $0 == "_" ? "-" : $0 })
            } else {
                words.append(word)
            }
        }
        if !words.isEmpty { found.name = words.joined(separator: " ") }
        return found
    }

    /// Whether a word looks like a language's tag: two or three letters, and maybe a region or script.
    private static func isLanguage(_ word: Substring) -> Bool {
        let parts = word.split(whereSeparator: { $0 == "-" || $0 == "_" })
        guard let first = parts.first, (2...3).contains(first.count), first.allSatisfy(\.isLetter),
            first.allSatisfy(\.isASCII), !["sdh", "cc", "hi"].contains(first.lowercased())
        else { return false }
        return parts.dropFirst().allSatisfy { (2...4).contains($0.count) && $0.allSatisfy(\.isASCII) }
    }
}
