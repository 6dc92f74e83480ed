import CFFmpeg
import Casting

/// A segment of HLS encrypted as a whole with AES-128 in CBC mode (RFC 8216 §4.3.2.4), decrypted as it is read.
final class EncryptedBytes: ByteReader {
    private let source: ByteSource
    private let cipher: CObject<OpaquePointer>
    private var vector: [UInt8]
    /// Encrypted bytes not yet decrypted; fewer than a block, or the last block, which may be padding.
    private var encrypted: [UInt8] = []
    private var plain: ArraySlice<UInt8> = []
    private(set) var position: Int64 = 0
    private var hasEnded = false

    /// - Parameters:
    ///   - key: 16 bytes as hexadecimal digits, as libavformat hands them on.
    ///   - vector: the same, for the first block.
    init(_ source: ByteSource, key: String, vector: String) throws(CastError) {
        guard let key = bytes(hexadecimal: key), let vector = bytes(hexadecimal: vector) else {
            throw CastError(
                .contentIsProtected, "The media is encrypted and its key is missing.",
                hint: "It can only be played by its provider's own app.")
        }
        self.source = source
        self.vector = vector
        cipher = try allocated(CObject(av_aes_alloc()) { av_free(UnsafeMutableRawPointer($0)) })
        av_aes_init(cipher.pointer, key, 128, 1)
    }

    /// The address in libavformat's notation for encrypted ones; nil for any other.
    static func innerAddress(of address: String) -> String? {
        guard address.hasPrefix("crypto+") || address.hasPrefix("crypto:") else { return nil }
        return String(address.dropFirst("crypto+".count))
    }

    var size: Int64? { nil }
    var isSeekable: Bool { false }

    func seek(to position: Int64) {}

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CastError) -> Int {
        while plain.isEmpty && !hasEnded {
            let more = try source.readSome(upTo: 32_768)
            hasEnded = more.isEmpty
            encrypted += more
            // The last block is held back until it is known whether it is the last, for its padding is to be left out.
            let blocks = hasEnded ? encrypted.count / 16 : max(0, encrypted.count - 1) / 16
            guard blocks > 0 else { continue }
            var output = [UInt8](repeating: 0, count: blocks * 16)
            av_aes_crypt(cipher.pointer, &output, encrypted, Int32(blocks), &vector, 1)
            encrypted.removeFirst(blocks * 16)
            if hasEnded, let padding = output.last, padding <= 16 { output.removeLast(Int(padding)) }
            plain = output[...]
        }
        let count = min(buffer.count, plain.count)
        guard count > 0 else { return 0 }
        buffer.copyBytes(from: plain.prefix(count))
        plain = plain.dropFirst(count)
        position += Int64(count)
        return count
    }
}

/// The 16 bytes that 32 hexadecimal digits stand for.
private func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == 32, text.count == 32 else { return nil }
    return (0..<16).map { UInt8(digits[2 * $0] << 4 | digits[2 * $0 + 1]) }
}
