@testable import HTTP

/// Range of a request and Content-Range of an answer: a line each, and before them a file's size.
@Sendable func readRange(_ bytes: [UInt8]) {
    let parts = lines(bytes, 3)
    let size = Int64(parts[0]).map { max(0, $0) } ?? Int64(bytes.count)
    if case .part(let range) = ByteRange.select(parts.count > 1 ? parts[1] : parts[0], size: size) {
        precondition(range.offset >= 0 && range.length > 0 && range.offset <= size - range.length)
        let header = range.contentRange(of: size)
        precondition(ContentRange(header)?.range == range && ContentRange(header)?.size == size, header)
    }
    guard let answer = ContentRange(parts.last ?? "") else { return }
    guard let range = answer.range else { return precondition(answer.size != nil) }
    precondition(range.offset >= 0 && range.length > 0 && range.offset <= Int64.max - range.length)
    if let size = answer.size { precondition(range.offset + range.length <= size) }
    precondition(ContentRange(range.contentRange(of: answer.size)) == answer)
}

/// The head of an answer, line by line, and what single headers hold.
@Sendable func readHeaders(_ bytes: [UInt8]) {
    var head = HeadLines()
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
        guard head.add(String(decoding: line, as: UTF8.self) + "\n") else { return }
    }
    for field in head.headers {
        precondition(head.headers[field.name] != nil)
        precondition(!field.value.hasPrefix(" ") && !field.value.hasSuffix("\t"))
        if let date = HTTPDate(field.value) { precondition(HTTPDate(date.text) == date, date.text) }
        let version = FileVersion(tag: "\"1\"", modified: HTTPDate(seconds: 1_000_000_000))
        _ = version.verdict(on: [field.name: field.value])
    }
}

/// A request's target, an address, and where it is sent on to: two lines.
@Sendable func readURL(_ bytes: [UInt8]) {
    let parts = lines(bytes, 2)
    if let target = RequestTarget(parts[0]) {
        precondition(target.components.allSatisfy { $0 != ".." && $0 != "." && !$0.utf8.contains(0) })
    }
    guard let url = try? WebURL(parts[0]) else { return }
    precondition(["http", "https"].contains(url.origin.scheme) && !url.origin.host.isEmpty)
    precondition(!url.text.utf8.contains { $0 <= 32 || $0 == 127 }, url.text)
    // What it means does not change by being written once more.
    precondition((try? WebURL(url.text)) == url, url.text)
    if parts.count > 1, let next = try? url.resolve(parts[1]) {
        precondition(["http", "https"].contains(next.origin.scheme) && !next.origin.host.isEmpty)
    }
}

/// An event stream: the same events in one piece and byte by byte, and the same once more when they are written again.
@Sendable func readEvents(_ bytes: [UInt8]) {
    var (whole, single, again) = (ServerSentEventParser(), ServerSentEventParser(), ServerSentEventParser())
    guard let events = try? whole.parse(bytes) else { return }
    let parted = bytes.compactMap { byte in try? single.parse([byte]) }.flatMap { $0 }
    precondition(events == parted)
    let written = events.map(\.encoded).joined()
    let reread = (try? again.parse(Array(written.utf8))) ?? []
    precondition(reread.map(\.data) == events.map(\.data), written)
}
