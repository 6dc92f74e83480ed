/// A stretch of bytes of a file: RFC 9110 §14.
public struct ByteRange: Sendable, Hashable {
    /// The first byte's place, from 0.
    public var offset: Int64
    /// How many bytes; at least 1.
    public var length: Int64

    /// The stretch of `length` bytes from `offset`.
    public init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }

    /// What a Range header asks for of a file of that size.
    public enum Selection: Sendable, Hashable {
        /// All of it: no header, one that is malformed or of another unit, or several ranges.
        case whole
        /// A part of it.
        case part(ByteRange)
        /// Nothing that is there: answered with 416.
        case unsatisfiable
    }

    /// Reads a Range header against a file's size (RFC 9110 §14.1.2, §14.2).
    public static func select(_ header: String?, size: Int64) -> Selection {
        guard let header, let equals = header.firstIndex(of: "="),
            sameName(String(header[..<equals].filter { $0 != " " }), "bytes")
        else { return .whole }
        let spec = header[header.index(after: equals)...].filter { $0 != " " && $0 != "\t" }
        let sides = spec.split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
            return .whole
        }
        // Numbers too large for 64 bits mean "past the end".
        let first = sides[0].isEmpty ? nil : Int64(sides[0]) ?? .max
        let last = sides[1].isEmpty ? nil : Int64(sides[1]) ?? .max
        switch (first, last) {
        case (nil, nil): return .whole
        case (nil, let suffix?):
            guard suffix > 0, size > 0 else { return .unsatisfiable }
            let length = min(suffix, size)
            return .part(ByteRange(offset: size - length, length: length))
        case (let first?, let last):
            if let last, last < first { return .whole }
            guard first < size else { return .unsatisfiable }
            return .part(ByteRange(offset: first, length: min(last ?? .max, size - 1) - first + 1))
        }
    }

    /// The value of Content-Range for this part of a file; nil for a size not known yet.
    public func contentRange(of size: Int64?) -> String {
        "bytes \(offset)-\(offset + length - 1)/" + (size.map { String($0) } ?? "*")
    }
}

/// What a Content-Range header says (RFC 9110 §14.4).
public struct ContentRange: Sendable, Hashable {
    /// The part that is sent; nil in a 416.
    public var range: ByteRange?
    /// The whole file's size; nil where the server does not know it.
    public var size: Int64?

    /// Reads the header; nil for one that is malformed.
    public init?(_ header: String) {
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.count == 2, sameName(String(words[0]), "bytes") else { return nil }
        let sides = words[1].filter { $0 != " " }.split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        if sides[1] != "*" {
            guard let size = decimal(sides[1]) else { return nil }
            self.size = size
        }
        if sides[0] == "*" {
            guard size != nil else { return nil }
            return
        }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = decimal(ends[0]), let last = decimal(ends[1]), first <= last,
            last < size ?? .max
        else { return nil }
        range = ByteRange(offset: first, length: last - first + 1)
    }
}

/// A number written in digits alone.
func decimal(_ text: some StringProtocol) -> Int64? {
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
}
