import Casting
import FoundationEssentials

/// Which fields a JSON text has, without their values. Found in one pass, whatever the text is like.
enum JSONShape: Hashable, Sendable {
    case null
    case scalar
    case array([JSONShape])
    case object([String: JSONShape])

    /// A step from a value into it.
    enum Step {
        case key(String)
        case index(Int)
    }

    /// How deep arrays and objects may stand in one another: no body of this API needs more than five.
    static let depthLimit = 16

    /// Reads a text. Whether its scalars are well-formed is left to the decoder.
    ///
    /// - Throws: `invalidRequest` for what is not JSON in UTF-8, is nested too deep or has a name twice.
    init(_ text: Data) throws(CastError) {
        var scanner = JSONScanner(bytes: Array(text))
        self = try scanner.document()
    }

    /// The first field, in the order of names, that this has with a value and `other` has not; nil where there is none.
    func firstField(missingIn other: JSONShape) -> String? {
        missing(in: other).map(Self.fieldName)
    }

    private func missing(in other: JSONShape) -> [Step]? {
        switch (self, other) {
        case (.object(let own), .object(let others)):
            if let key = own.filter({ $0.value != .null && others[$0.key] == nil }).keys.min() { return [.key(key)] }
            for (key, value) in own {
                if let rest = others[key].flatMap({ value.missing(in: $0) }) { return [.key(key)] + rest }
            }
        case (.array(let own), .array(let others)):
            for (index, pair) in zip(own, others).enumerated() {
                if let rest = pair.0.missing(in: pair.1) { return [.index(index)] + rest }
            }
        default: break
        }
        return nil
    }

    /// A path of steps as it is written: `items[2].url`.
    static func fieldName(_ path: [Step]) -> String {
        path.reduce(into: "") { name, step in
            switch step {
            case .key(let key): name += (name.isEmpty ? "" : ".") + key.prefix(64)
            case .index(let index): name += "[\(index)]"
            }
        }
    }
}

/// Goes through a JSON text (RFC 8259) byte by byte.
private struct JSONScanner {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    mutating func document() throws(CastError) -> JSONShape {
        let shape = try value(depth: 0)
        skipSpace()
        guard place == bytes.count else { throw .notJSON }
        return shape
    }

    private mutating func value(depth: Int) throws(CastError) -> JSONShape {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"):
            return try object(depth: depth + 1)
        case UInt8(ascii: "["):
            return try array(depth: depth + 1)
        case UInt8(ascii: "\""):
            _ = try string()
            return .scalar
        default:
            let start = place
            while let byte = next, !",]}: \t\r\n".utf8.contains(byte) { place += 1 }
            guard place > start else { throw .notJSON }
            return bytes[start..<place].elementsEqual("null".utf8) ? .null : .scalar
        }
    }

    private mutating func object(depth: Int) throws(CastError) -> JSONShape {
        var fields: [String: JSONShape] = [:]
        try elements(until: UInt8(ascii: "}"), depth: depth) { (scanner) throws(CastError) in
            let name = try scanner.name()
            guard scanner.take(UInt8(ascii: ":")) else { throw .notJSON }
            guard fields.updateValue(try scanner.value(depth: depth), forKey: name) == nil else {
                let shown = JSONShape.fieldName([.key(name)])
                throw CastError(.invalidRequest, "“\(shown)” is there twice.", details: ["field": shown])
            }
        }
        return .object(fields)
    }

    private mutating func array(depth: Int) throws(CastError) -> JSONShape {
        var elements: [JSONShape] = []
        try self.elements(until: UInt8(ascii: "]"), depth: depth) { (scanner) throws(CastError) in
            elements.append(try scanner.value(depth: depth))
        }
        return .array(elements)
    }

    /// Goes through what stands between brackets, parted by commas.
    private mutating func elements(
        until end: UInt8, depth: Int, _ element: (inout JSONScanner) throws(CastError) -> Void
    ) throws(CastError) {
        guard depth <= JSONShape.depthLimit else {
            throw CastError(.invalidRequest, "The body is nested too deep.", hint: "GET /v1/openapi.json describes it.")
        }
        place += 1
        guard !take(end) else { return }
        repeat { try element(&self) } while take(UInt8(ascii: ","))
        guard take(end) else { throw .notJSON }
    }

    /// A field's name, its escapes undone.
    private mutating func name() throws(CastError) -> String {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw .notJSON }
        let raw = try string()
        guard raw.contains(UInt8(ascii: "\\")) else {
            return String(decoding: raw.dropFirst().dropLast(), as: UTF8.self)
        }
        guard let name = try? JSONDecoder().decode(String.self, from: Data(raw)) else { throw .notJSON }
        return name
    }

    /// The bytes of a string with its quotation marks.
    private mutating func string() throws(CastError) -> ArraySlice<UInt8> {
        let start = place
        place += 1
        while let byte = next, byte != UInt8(ascii: "\"") { place += byte == UInt8(ascii: "\\") ? 2 : 1 }
        guard next != nil else { throw .notJSON }
        place += 1
        return bytes[start..<place]
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
    }
}

extension CastError {
    /// The answer to a body that is not JSON.
    static let notJSON = CastError(
        .invalidRequest, "The body is not JSON.", hint: "GET /v1/openapi.json describes it.")
}
