/// The lines of an answer's head as they come.
struct HeadLines {
    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    /// Whether the empty line that ends the head is there, and it is not an interim one (1xx).
    private(set) var isComplete = false
    private var size = 0

    /// Takes a line with its end; false for a head larger than 256 KiB.
    mutating func add(_ line: String) -> Bool {
        size += line.utf8.count
        guard size <= 256 << 10 else { return false }
        let text = line.prefix { $0 != "\r\n" && $0 != "\n" && $0 != "\r" }
        if text.hasPrefix("HTTP/") {
            headers = HTTPHeaders()
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if text.isEmpty {
            isComplete = status >= 200
        } else if let colon = text.firstIndex(of: ":") {
            headers.add(String(trim(text[..<colon])), String(trim(text[text.index(after: colon)...])))
        }
        return true
    }
}

private func trim(_ text: Substring) -> Substring {
    var text = text
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
}
