import CFFmpeg

/// The text of a tag, whatever encoding it was written in.
enum TagText {
    /// The text of bytes that end with a zero.
    ///
    /// UTF-8 where that is what they are; else the encoding of old Windows programs, which most other tags are in. Control
    /// characters are left out, and spaces around it.
    static func decode(_ text: UnsafePointer<CChar>) -> String? {
        decode(UnsafeRawBufferPointer(start: text, count: strnlen(text, 65_536)).map { $0 })
    }

    /// The text of bytes; nil where nothing is left of it.
    static func decode(_ bytes: [UInt8]) -> String? {
        let text = String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map(scalar)))
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, isBlank(first) { scalars = scalars.dropFirst() }
        while let last = scalars.last, isBlank(last) { scalars = scalars.dropLast() }
        let shown = scalars.filter { $0.properties.generalCategory != .control || $0 == "\n" }
        return shown.isEmpty ? nil : String(String.UnicodeScalarView(shown))
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control || scalar == "\u{FEFF}"
    }

    /// A character of Windows-1252.
    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(table[Int(byte) - 0x80]) ?? Unicode.Scalar(byte)
    }

    private static let table: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}

/// A tag's text; nil where there is none.
func tag(_ name: String, in metadata: OpaquePointer?) -> String? {
    av_dict_get(metadata, name, nil, 0).flatMap { TagText.decode($0.pointee.value) }
}
