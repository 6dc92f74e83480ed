import Synchronization

/// The bytes of one item that were read, of all its files, within one budget.
final class ByteCache: Sendable {
    private struct State {
        var files: [String: CachedFile] = [:]
        /// Addresses, the one used last at the end.
        var order: [String] = []
    }

    let budget: CacheBudget
    private let state = Mutex(State())

    /// Nothing kept yet.
    init(budget: CacheBudget = CacheBudget()) {
        self.budget = budget
    }

    /// The place for a file's bytes, empty where it is not known yet.
    func file(_ address: String) -> CachedFile {
        state.withLock { state in
            state.order.removeAll { $0 == address }
            state.order.append(address)
            if let file = state.files[address] { return file }
            let file = CachedFile(budget: budget)
            state.files[address] = file
            // Many small ones, such as the pieces of a live stream, would add up as well.
            while state.order.count > 1, state.order.count > 2000 || Self.size(state) > budget.total {
                state.files[state.order.removeFirst()] = nil
            }
            return file
        }
    }

    /// Forgets a file, so that the next to want it asks the network.
    func forget(_ address: String) {
        state.withLock { state in
            state.files[address] = nil
            state.order.removeAll { $0 == address }
        }
    }

    /// Bytes kept at present.
    var byteCount: Int { state.withLock { Self.size($0) } }

    private static func size(_ state: State) -> Int {
        state.files.values.reduce(0) { $0 + $1.byteCount }
    }
}

/// What a server has said about a file.
struct FileFacts: Hashable, Sendable {
    /// The URL that answered, after redirects.
    var url: String
    /// The media type by the server's word.
    var contentType: String?
    /// Bytes of the whole; nil where the server does not say.
    var size: Int64?
    /// Whether the server sends from any byte on.
    var isSeekable = false
    /// Whether it is what a radio station sends at present: without end, and what was missed is gone.
    var isBroadcast = false
    /// What names this version of the file.
    var version = FileVersion()
}

/// What names a version of a file: RFC 9110 §8.8.
struct FileVersion: Hashable, Sendable {
    var entityTag: String?
    var lastModified: String?

    /// Whether the file is another one than before, by the server's word.
    ///
    /// Several machines with one file give it tags of their own, but agree on its date.
    func hasChanged(to new: FileVersion) -> Bool {
        let tags = (entityTag, new.entityTag)
        let dates = (lastModified, new.lastModified)
        if let old = dates.0, let new = dates.1 { return old != new }
        if let old = tags.0, let new = tags.1 { return old != new }
        return false
    }
}

/// The bytes of one file that were read, wherever they lie, in blocks.
final class CachedFile: Sendable {
    /// Bytes of a block. The system's memory for one this large is given back when it goes.
    static let blockSize = 256 << 10

    /// Memory at a fixed address; touched with the state locked only.
    private final class Block: Sendable {
        private let address: UInt

        init() {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: CachedFile.blockSize, alignment: 64)
            address = UInt(bitPattern: memory)
        }

        deinit {
            UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
        }

        var memory: UnsafeMutableRawBufferPointer {
            UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(bitPattern: address), count: CachedFile.blockSize)
        }
    }

    private struct State {
        var blocks: [Int64: Block] = [:]
        var loaded = LoadedRanges()
        var facts: FileFacts?
    }

    private let budget: CacheBudget
    private let state = Mutex(State())

    init(budget: CacheBudget) {
        self.budget = budget
    }

    /// What the server said; nil before it did.
    var facts: FileFacts? {
        get { state.withLock { $0.facts } }
        set { state.withLock { $0.facts = newValue } }
    }

    /// Bytes of memory in use.
    var byteCount: Int { state.withLock { $0.blocks.count * Self.blockSize } }

    /// What is at hand.
    var loaded: LoadedRanges { state.withLock { $0.loaded } }

    /// Keeps bytes that were read at `position`.
    func insert(_ bytes: UnsafeRawBufferPointer, at position: Int64) {
        state.withLock { state in
            var (rest, place) = (bytes, position)
            while !rest.isEmpty {
                let number = place / Int64(Self.blockSize)
                let offset = Int(place % Int64(Self.blockSize))
                let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockSize - offset))
                let block = state.blocks[number] ?? makeBlock(number, &state)
                UnsafeMutableRawBufferPointer(rebasing: block.memory[offset...]).copyMemory(from: part)
                state.loaded.insert(place..<(place + Int64(part.count)))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
                place += Int64(part.count)
            }
        }
    }

    private func makeBlock(_ number: Int64, _ state: inout State) -> Block {
        let block = Block()
        state.blocks[number] = block
        for far in budget.surplus(of: state.blocks.keys, size: Self.blockSize, around: number) {
            state.blocks[far] = nil
            state.loaded.remove((far * Int64(Self.blockSize))..<((far + 1) * Int64(Self.blockSize)))
        }
        return block
    }

    /// Copies what is at hand at `position`.
    ///
    /// - Returns: how many bytes; 0 where there is nothing of it.
    func read(at position: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            let end = state.loaded.end(from: position)
            let wanted = Int(min(Int64(buffer.count), end - position))
            var count = 0
            while count < wanted {
                let place = position + Int64(count)
                let offset = Int(place % Int64(Self.blockSize))
                guard let block = state.blocks[place / Int64(Self.blockSize)] else { break }
                let part = min(wanted - count, Self.blockSize - offset)
                UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: block.memory[offset..<(offset + part)]))
                count += part
            }
            return count
        }
    }
}
