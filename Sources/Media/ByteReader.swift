import Casting

/// Bytes as libavformat reads them.
protocol ByteReader: AnyObject {
    /// Bytes in all; nil where not known.
    var size: Int64? { get }
    /// Whether `seek` can go anywhere at little cost.
    var isSeekable: Bool { get }
    /// Where the next read begins.
    var position: Int64 { get }
    /// Reads some bytes; 0 only at the true end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CastError) -> Int
    /// Where to read next; may be beyond the end.
    func seek(to position: Int64)
}

/// Bytes in memory.
final class MemoryBytes: ByteReader {
    private let bytes: [UInt8]
    private(set) var position: Int64 = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var size: Int64? { Int64(bytes.count) }
    var isSeekable: Bool { true }

    func seek(to position: Int64) {
        self.position = max(0, position)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CastError) -> Int {
        let count = min(buffer.count, bytes.count - Int(min(position, Int64(bytes.count))))
        guard count > 0 else { return 0 }
        buffer.copyBytes(from: bytes[Int(position)..<(Int(position) + count)])
        position += Int64(count)
        return count
    }
}

extension ByteReader {
    /// Reads from here to the end.
    ///
    /// - Returns: nil where there are more than `limit` bytes.
    func readAll(limit: Int) throws(CastError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            let part = try readSome(upTo: 65_536)
            if part.isEmpty { return bytes }
            bytes += part
            if bytes.count > limit { return nil }
        }
    }

    /// The first bytes, fewer only where there are no more. Goes back to position 0.
    func beginning(upTo count: Int) throws(CastError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let part = try readSome(upTo: count - bytes.count)
            if part.isEmpty { break }
            bytes += part
        }
        seek(to: 0)
        return bytes
    }

    /// Reads some bytes; none only at the true end.
    func readSome(upTo count: Int) throws(CastError) -> [UInt8] {
        var failure: CastError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            do throws(CastError) {
                initialized = try read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
