import Casting

/// What is wrong with a configuration, and where.
struct ConfigurationProblem: Error {
    var path: [String]
    /// Goes on from the key's name: "must be …".
    var reason: String
    var hint: String?
}

/// Reads one group of a configuration: refuses unknown keys, and names the key in whatever is wrong.
struct ConfigurationReader<Key: CodingKey & CaseIterable> {
    private let container: KeyedDecodingContainer<Key>

    init(_ decoder: any Decoder) throws {
        let path = decoder.codingPath.map(\.stringValue)
        for key in try decoder.container(keyedBy: AnyKey.self).allKeys where Key(stringValue: key.stringValue) == nil {
            let known = Key.allCases.map(\.stringValue).joined(separator: ", ")
            throw ConfigurationProblem(
                path: path + [key.stringValue], reason: "is not known", hint: "Known here: \(known).")
        }
        container = try decoder.container(keyedBy: Key.self)
    }

    /// Reads the value of `key` into `value`, if it is there.
    ///
    /// - Parameter complaint: says what is wrong with a value, going on from the key's name; nil where it is right.
    func read<Value: Decodable>(
        _ key: Key, into value: inout Value, complaint: (Value) -> String? = { _ in nil }
    ) throws {
        guard container.contains(key) else { return }
        let read = try container.decode(Value.self, forKey: key)
        if let complaint = complaint(read) { throw problem(key, complaint) }
        value = read
    }

    /// Reads a whole number. Foundation takes a broken one for broken JSON, so it is read as any number first.
    func read(_ key: Key, into value: inout Int, complaint: (Int) -> String?) throws {
        var number = Double(value)
        try read(key, into: &number) {
            $0 == $0.rounded() && abs($0) < 1e15 ? complaint(Int($0)) : "must be a whole number"
        }
        value = Int(number)
    }

    func problem(_ key: Key, _ reason: String) -> ConfigurationProblem {
        ConfigurationProblem(path: container.codingPath.map(\.stringValue) + [key.stringValue], reason: reason)
    }
}

/// Any key at all.
struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// What values may be; each says what is wrong, or nil.
enum Rule {
    static func range<Value: Comparable>(_ value: Value, _ range: ClosedRange<Value>) -> String? {
        range.contains(value) ? nil : "must be from \(range.lowerBound) to \(range.upperBound), and is \(value)"
    }

    static func text(_ value: String?, upTo length: Int) -> String? {
        guard let value else { return nil }
        if value.isEmpty { return "must not be empty (null means the default)" }
        if value.utf8.count > length { return "must be at most \(length) bytes long" }
        return value.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
            ? "must not hold control characters" : nil
    }

    static func hostName(_ value: String) -> String? {
        let allowed = value.utf8.allSatisfy { byte in
            (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a) || (0x30...0x39).contains(byte) || byte == 0x2d || byte == 0x2e
        }
        return allowed && !value.isEmpty && value.utf8.count <= 253 ? nil : "holds “\(value)”, which is no host name"
    }
}
