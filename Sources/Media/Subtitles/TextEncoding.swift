import CUchardet

#if canImport(Glibc)
    import Glibc
#endif

/// Finds out how a text is written down, and writes it down as UTF-8.
package enum TextEncoding {
    /// The text as UTF-8 without a byte order mark.
    ///
    /// What has a mark is what the mark says; else valid UTF-8 stays; UTF-16 without a mark shows by its zeros; else
    /// uchardet's guess counts where the text can be read by it; else it is Latin-1, by which everything can be read.
    package static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return valid(Array(bytes.dropFirst(3))) }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return convert(bytes.dropFirst(4), from: "UTF-32LE") ?? [] }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return convert(bytes.dropFirst(4), from: "UTF-32BE") ?? [] }
        if bytes.starts(with: [0xFF, 0xFE]) { return convert(bytes.dropFirst(2), from: "UTF-16LE") ?? [] }
        if bytes.starts(with: [0xFE, 0xFF]) { return convert(bytes.dropFirst(2), from: "UTF-16BE") ?? [] }
        if let name = unmarkedUTF16(bytes), let text = convert(bytes[...], from: name) { return text }
        if String(validating: bytes, as: UTF8.self) != nil { return bytes }
        if let name = guess(bytes), let text = convert(bytes[...], from: name, strictly: true) { return text }
        return latin1(bytes)
    }

    /// Texts in UTF-16 have a zero in every other byte, mostly, where they hold line ends, digits and blanks.
    private static func unmarkedUTF16(_ bytes: [UInt8]) -> String? {
        let beginning = bytes.prefix(4096)
        guard beginning.count >= 8 else { return nil }
        let zeros = beginning.enumerated().filter { $0.element == 0 }
        guard zeros.count * 8 >= beginning.count else { return nil }
        let odd = zeros.count { $0.offset % 2 == 1 }
        if odd * 10 >= zeros.count * 9 { return "UTF-16LE" }
        if odd * 10 <= zeros.count { return "UTF-16BE" }
        return nil
    }

    private static func guess(_ bytes: [UInt8]) -> String? {
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let beginning = bytes.prefix(1 << 20)
        let code = beginning.withUnsafeBytes { bytes in
            uchardet_handle_data(detector, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        uchardet_data_end(detector)
        guard code == 0, let name = uchardet_get_charset(detector), name.pointee != 0 else { return nil }
        let text = String(cString: name)
        return text == "ASCII" || text == "UTF-8" ? nil : text
    }

    /// - Parameter strictly: answer nil where anything cannot be read; else a sign stands in its place.
    private static func convert(_ bytes: ArraySlice<UInt8>, from name: String, strictly: Bool = false) -> [UInt8]? {
        let converter = iconv_open("UTF-8", name)
        guard converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var input = Array(bytes)
        var result: [UInt8] = []
        result.reserveCapacity(input.count * 2)
        var output = [UInt8](repeating: 0, count: 16_384)
        let isWhole = input.withUnsafeMutableBytes { input in
            var from = input.baseAddress?.assumingMemoryBound(to: CChar.self)
            var left = input.count
            while left > 0 {
                let (code, reason, count) = output.withUnsafeMutableBytes { output in
                    var to = output.baseAddress?.assumingMemoryBound(to: CChar.self)
                    var room = output.count
                    let code = iconv(converter, &from, &left, &to, &room)
                    return (code, errno, output.count - room)
                }
                result += output[..<count]
                // Its failure is the size -1, which comes as an Int here.
                guard code == -1, reason != E2BIG else { continue }
                if strictly { return false }
                // What cannot be read: pass over it, with a sign in its place.
                result += [0xEF, 0xBF, 0xBD]
                from = from.map { $0 + 1 }
                left -= 1
            }
            return true
        }
        return isWhole ? result : nil
    }

    private static func latin1(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            if byte < 128 {
                result.append(byte)
            } else {
                result.append(0xC0 | byte >> 6)
                result.append(0x80 | byte & 0x3F)
            }
        }
        return result
    }

    private static func valid(_ bytes: [UInt8]) -> [UInt8] {
        String(validating: bytes, as: UTF8.self) != nil ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
    }
}
