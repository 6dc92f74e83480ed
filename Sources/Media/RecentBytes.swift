/// The bytes that came last, kept so that a short way back costs nothing.
///
/// A ring. To be replaced by a deeper cache with the same two calls.
struct RecentBytes {
    /// Position just after the last byte.
    private(set) var end: Int64 = 0
    /// How many bytes are kept at most.
    let capacity: Int
    private var storage: [UInt8] = []
    private var count = 0

    /// Nothing kept yet.
    init(capacity: Int = 2 << 20) {
        self.capacity = capacity
    }

    /// Position of the first byte kept.
    var start: Int64 { end - Int64(count) }

    /// Forgets everything and goes on at `position`.
    mutating func restart(at position: Int64) {
        end = position
        count = 0
    }

    /// Keeps bytes that follow the last ones.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        // What would be overwritten at once is not copied.
        var bytes = bytes
        if bytes.count > capacity {
            end += Int64(bytes.count - capacity)
            bytes = UnsafeRawBufferPointer(rebasing: bytes.suffix(capacity))
        }
        if storage.isEmpty { storage = [UInt8](repeating: 0, count: capacity) }
        var place = Int(end % Int64(capacity))
        end += Int64(bytes.count)
        count = min(capacity, count + bytes.count)
        storage.withUnsafeMutableBytes { ring in
            while !bytes.isEmpty {
                let part = min(bytes.count, capacity - place)
                UnsafeMutableRawBufferPointer(rebasing: ring[place..<(place + part)])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(part)))
                bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(part))
                place = 0
            }
        }
    }

    /// Copies what is kept at `position`.
    ///
    /// - Returns: how many bytes; 0 where nothing is kept of it.
    func read(at position: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard position >= start, position < end else { return 0 }
        let place = Int(position % Int64(capacity))
        let length = min(buffer.count, Int(end - position), capacity - place)
        storage.withUnsafeBytes { ring in
            UnsafeMutableRawBufferPointer(rebasing: buffer[..<length])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: ring[place..<(place + length)]))
        }
        return length
    }
}
