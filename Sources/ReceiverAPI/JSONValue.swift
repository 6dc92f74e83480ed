/// Any JSON value.
enum JSONValue: Codable, Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// A step from a value into it.
    enum Step {
        case key(String)
        case index(Int)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The first field, in the order of names, that this has with a value and `other` has not; nil where there is none.
    func firstField(missingIn other: JSONValue) -> String? {
        missing(in: other).map(Self.fieldName)
    }

    private func missing(in other: JSONValue) -> [Step]? {
        switch (self, other) {
        case (.object(let own), .object(let others)):
            for (key, value) in own.sorted(by: { $0.key < $1.key }) where value != .null {
                guard let counterpart = others[key] else { return [.key(key)] }
                if let rest = value.missing(in: counterpart) { return [.key(key)] + rest }
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
