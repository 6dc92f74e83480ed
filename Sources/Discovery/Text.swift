/// The text without control characters, which could steer a terminal, and without white space at its ends.
func printable(_ text: String) -> String {
    let kept = String(String.UnicodeScalarView(text.unicodeScalars.filter { isPrintable($0) }))
    guard let first = kept.firstIndex(where: { !$0.isWhitespace }),
        let last = kept.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(kept[first...last])
}

/// Everything but control characters, and marks that turn the direction of text; the joiners of scripts and emoji stay.
private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    case .format: scalar == "\u{200c}" || scalar == "\u{200d}"
    default: true
    }
}

/// As many whole characters from the start of the text as fit into that many bytes of UTF-8.
func prefix(of text: String, bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var end = text.startIndex
    while end < text.endIndex {
        let next = text.index(after: end)
        guard text.utf8.distance(from: text.startIndex, to: next) <= bytes else { break }
        end = next
    }
    return String(text[..<end])
}
