/// How the end of a Matroska file of unknown length shows that it was cut off: in the middle of an element (RFC 8794).
struct MatroskaTail {
    /// Bytes of the file.
    let size: Int64
    /// Gives so many bytes from a position on, or fewer where the file ends.
    let bytes: (Int64, Int) -> [UInt8]

    /// More elements than this do not follow the last picture or sound of a file.
    private static let mostElements = 1000
    private static let cluster: UInt32 = 0x1F43_B675
    /// What may follow a block: in its group, in its cluster, and after that. Anything else is no part of the film.
    private static let known: Set<UInt32> = [
        cluster, 0x1C53_BB6B, 0x1254_C367, 0x114D_9B74, 0x1941_A469, 0x1043_A770, 0x1549_A966, 0x1654_AE6B, 0xA0, 0xA1,
        0xA3, 0xA4, 0xA7, 0xAB, 0xAF, 0xE7, 0xEC, 0xBF, 0x9B, 0xFA, 0xFB, 0xFD, 0x8E, 0xC8, 0x5854, 0x75A1, 0x75A2,
    ]

    /// Whether the file ends within an element.
    ///
    /// - Parameter content: where the content of the last whole block begins.
    func isCut(afterBlockAt content: Int64) -> Bool {
        guard var position = end(ofBlockAt: content) else { return false }
        for _ in 0..<Self.mostElements {
            guard position < size else { return false }
            let header = bytes(position, 12)
            guard let first = header.first, first >= 0x10 else { return false }
            let idLength = first.leadingZeroBitCount + 1
            let id = header.prefix(idLength).reduce(0) { $0 << 8 | UInt32($1) }
            let missing = 8 * UInt32(max(0, idLength - header.count))
            guard Self.known.contains(where: { $0 >> missing == id && $0 >> (8 * UInt32(idLength - 1)) == first })
            else {
                return false
            }
            guard header.count > idLength else { return true }
            guard header[idLength] != 0 else { return false }
            guard let (length, width) = Self.length(header[idLength...]) else { return true }
            position += Int64(idLength + width)
            guard let length else {
                // Of unknown length, as a broadcast's clusters are: what is in it follows.
                guard id == Self.cluster else { return false }
                continue
            }
            guard length <= size - position else { return true }
            position += length
        }
        return false
    }

    /// Where a block ends, by the length that stands before its content; nil where none can be made out.
    private func end(ofBlockAt content: Int64) -> Int64? {
        let before = bytes(max(0, content - 9), Int(min(9, content)))
        for width in 1...8 where before.count > width {
            let id = before[before.count - width - 1]
            guard id == 0xA3 || id == 0xA1, let found = Self.length(before[(before.count - width)...]),
                found.width == width, let length = found.length, length >= 4, length <= size - content
            else { continue }
            return content + length
        }
        return nil
    }

    /// A length and how many bytes it takes; nil where they are not all there. It is nil itself where it is unknown.
    private static func length(_ bytes: ArraySlice<UInt8>) -> (length: Int64?, width: Int)? {
        guard let first = bytes.first, first != 0 else { return nil }
        let width = first.leadingZeroBitCount + 1
        guard bytes.count >= width else { return nil }
        var value = Int64(first & (0xFF >> UInt8(width)))
        for byte in bytes.dropFirst().prefix(width - 1) { value = value << 8 | Int64(byte) }
        return (value == (1 << Int64(7 * width)) - 1 ? nil : value, width)
    }
}
