public import FoundationEssentials

extension JSONEncoder {
    /// An encoder for what goes over the wire or to programs: keys in order, one line.
    public static var wire: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// An encoder for files that people may look into: keys in order, one a line.
    public static var file: JSONEncoder {
        let encoder = wire
        encoder.outputFormatting.insert(.prettyPrinted)
        return encoder
    }
}
