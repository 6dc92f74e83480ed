/// The header fields of a message: names without regard to case, in the order given, repeats kept.
public struct HTTPHeaders: Sendable, Hashable {
    /// One header line.
    public struct Field: Sendable, Hashable {
        /// The name as written.
        public var name: String
        /// The value, without the white space around it.
        public var value: String
    }

    private var fields: [Field] = []

    /// No headers.
    public init() {}

    /// The first value of that name; setting replaces every one, and nil takes them away.
    public subscript(name: String) -> String? {
        get { fields.first { sameName($0.name, name) }?.value }
        set {
            if let newValue { set(name, newValue) } else { remove(name) }
        }
    }

    /// Every value of that name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { sameName($0.name, name) }.map(\.value)
    }

    /// Adds a line, keeping what is there of the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Replaces every line of that name by one.
    public mutating func set(_ name: String, _ value: String) {
        guard let index = fields.firstIndex(where: { sameName($0.name, name) }) else { return add(name, value) }
        fields[index].value = value
        let later = fields[(index + 1)...].filter { !sameName($0.name, name) }
        fields.replaceSubrange((index + 1)..., with: later)
    }

    /// Takes away every line of that name.
    public mutating func remove(_ name: String) {
        fields.removeAll { sameName($0.name, name) }
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The place of the first line.
    public var startIndex: Int { fields.startIndex }
    /// The place after the last line.
    public var endIndex: Int { fields.endIndex }
    /// The line at a place.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Headers written as a dictionary; repeats are kept.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }
}

extension HTTPHeaders {
    /// Headers of a dictionary, in the order of their names.
    public init(_ dictionary: [String: String]) {
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { add(name, value) }
    }

    /// Whether a name and a value may stand in a header: a token (RFC 9110 §5.6.2), and no line break or NUL.
    static func isValid(name: String, value: String) -> Bool {
        let isToken =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                isLetterOrDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        return isToken && value.utf8.allSatisfy { $0 != 0 && $0 != 10 && $0 != 13 }
    }
}

/// Whether two header names are the same: ASCII without regard to case.
func sameName(_ first: String, _ second: String) -> Bool {
    first.utf8.count == second.utf8.count
        && zip(first.utf8, second.utf8).allSatisfy { lowercased($0) == lowercased($1) }
}

/// An ASCII letter made small; other bytes as they are.
func lowercased(_ byte: UInt8) -> UInt8 {
    (65...90).contains(byte) ? byte + 32 : byte
}

/// Whether a byte is an ASCII letter or digit.
func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
}
