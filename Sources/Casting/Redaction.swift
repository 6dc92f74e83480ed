/// What of a URL may stand in a log.
public enum Redaction {
    /// The URL without user, password, query and fragment; a query that was there shows as `?…`.
    public static func url(_ text: String) -> String {
        var shown = text[...]
        var hidden = ""
        if let end = shown.firstIndex(where: { $0 == "?" || $0 == "#" }) {
            hidden = shown[end] == "?" ? "?…" : ""
            shown = shown[..<end]
        }
        // The authority ends at the first of these, also the backslash that some parsers take for a slash.
        guard let scheme = shown.firstRange(of: "://") else { return shown + hidden }
        let afterScheme = shown[scheme.upperBound...]
        let authority = afterScheme.prefix { $0 != "/" && $0 != "\\" }
        guard let at = authority.lastIndex(of: "@") else { return shown + hidden }
        return shown[..<scheme.upperBound] + shown[shown.index(after: at)...] + hidden
    }
}
