import Casting
import TestSupport
import Testing

@testable import Media

@Suite struct CacheTests {
    @Test("ranges that touch become one, and what is taken out of the middle leaves two")
    func ranges() {
        var loaded = LoadedRanges()
        loaded.insert(10..<20)
        loaded.insert(20..<30)
        #expect(loaded.ranges == [10..<30])
        loaded.insert(50..<60)
        loaded.insert(0..<5)
        #expect(loaded.ranges == [0..<5, 10..<30, 50..<60])
        loaded.insert(4..<12)
        loaded.insert(28..<50)
        #expect(loaded.ranges == [0..<60])
        loaded.remove(20..<30)
        #expect(loaded.ranges == [0..<20, 30..<60])
        loaded.remove(0..<100)
        #expect(loaded.ranges.isEmpty)
        loaded.insert(5..<5)
        #expect(loaded.ranges.isEmpty)
    }

    @Test("what is loaded reaches to the next hole")
    func reach() {
        var loaded = LoadedRanges()
        loaded.insert(10..<20)
        loaded.insert(30..<40)
        #expect([0, 10, 19, 20, 25, 35, 40].map { loaded.end(from: $0) } == [0, 20, 20, 20, 25, 40, 40])
        #expect(loaded.count == 20)
    }

    @Test("any order of insertions and removals keeps the same books as a set of bytes", arguments: 0..<20)
    func books(_ seed: Int) {
        var random = Seeded(UInt64(seed))
        var loaded = LoadedRanges()
        var bytes: Set<Int64> = []
        for _ in 0..<200 {
            let start = Int64.random(in: 0..<100, using: &random)
            let range = start..<(start + Int64.random(in: 0..<20, using: &random))
            if Bool.random(using: &random) {
                loaded.insert(range)
                bytes.formUnion(range)
            } else {
                loaded.remove(range)
                bytes.subtract(range)
            }
            #expect(Set(loaded.ranges.flatMap { Array($0) }) == bytes)
            #expect(zip(loaded.ranges, loaded.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        }
    }

    @Test("what is farthest from the reading place goes first, on either side by its own budget")
    func budget() {
        let budget = CacheBudget(ahead: 30, behind: 20)
        #expect(budget.surplus(of: [5, 6, 7], size: 10, around: 7) == [])
        #expect(budget.surplus(of: [1, 2, 5, 6, 7], size: 10, around: 7) == [1, 2])
        #expect(Set(budget.surplus(of: [7, 8, 9, 10, 11, 40], size: 10, around: 7)) == [11, 40])
        #expect(budget.surplus(of: [7], size: 10, around: 7) == [])
    }

    @Test("a file gives back what was put in, across blocks, and holds no more than its budget")
    func file() {
        let block = CachedFile.blockSize
        let file = CachedFile(budget: CacheBudget(ahead: 2 * block, behind: 2 * block))
        let bytes = (0..<(8 * block)).map { UInt8(truncatingIfNeeded: $0 >> 8) }
        bytes.withUnsafeBytes { all in
            for start in stride(from: 0, to: all.count, by: 100_000) {
                let part = UnsafeRawBufferPointer(rebasing: all[start..<min(all.count, start + 100_000)])
                file.insert(part, at: Int64(start))
            }
        }
        #expect(file.byteCount == 3 * block)
        #expect(file.loaded.ranges == [Int64(5 * block)..<Int64(8 * block)])
        var buffer = [UInt8](repeating: 0, count: 2 * block)
        let place = 5 * block + 1000
        let count = buffer.withUnsafeMutableBytes { file.read(at: Int64(place), into: $0) }
        #expect(count == buffer.count)
        #expect(buffer == Array(bytes[place..<(place + count)]))
        #expect(buffer.withUnsafeMutableBytes { file.read(at: 0, into: $0) } == 0)
    }

    @Test("of many files those used last stay")
    func files() {
        let block = CachedFile.blockSize
        let cache = ByteCache(budget: CacheBudget(ahead: block, behind: block))
        for name in ["a", "b", "c", "a", "d"] {
            [1, 2, 3 as UInt8].withUnsafeBytes { cache.file(name).insert($0, at: 0) }
        }
        #expect(cache.byteCount <= 3 * block)
        #expect(cache.file("d").loaded.count == 3)
        #expect(cache.file("b").loaded.count == 0)
    }

    @Test("seeking within what is loaded asks the server for nothing")
    func seeks() throws {
        let server = try FaultServer(file: longFilm().path())
        let demuxer = try Demuxer(MediaLocation(url: server.url), cancellation: Cancellation())
        for _ in 0..<400 { _ = try demuxer.nextPacket() }
        let before = server.requests.count
        for target in [2.0, 0, 4.2, 1, 3.9] {
            try demuxer.seek(to: target)
            let key = try #require(try demuxer.nextPacket())
            #expect(try #require(key.presentationTime ?? key.decodeTime) <= target + 0.1)
        }
        #expect(server.requests.count == before)
        #expect(server.mostConnections == 1)
    }

    @Test("what was read in two places stays in both, and nothing is fetched that nobody reads")
    func islands() throws {
        let path = try longFilm().path()
        let server = try FaultServer(file: path)
        let network = Network(MediaSupply(MediaLocation(url: server.url)), cancellation: Cancellation())
        let source = try ByteSource(server.url, isItem: true, network: network)
        func read(_ position: Int64) throws -> [UInt8] {
            source.seek(to: position)
            return try source.readSome(upTo: 1000)
        }
        let size = try #require(source.size)
        let (start, end) = (try read(0), try read(size - 1000))
        let requests = server.requests.count
        #expect(requests <= 2)
        #expect(try read(0) == start)
        #expect(try read(size - 1000) == end)
        #expect(server.requests.count == requests)
        #expect(network.cache.byteCount <= 3 * CachedFile.blockSize)
    }

    @Test("segments that were read are not asked for again")
    func segments() throws {
        let server = FakeServer { _ in .init(repeating: 7, count: 5000) }
        let network = server.network()
        for _ in 0..<3 {
            let source = try ByteSource("http://server/segment.ts", network: network)
            #expect(try source.readAll(limit: 10_000)?.count == 5000)
            #expect(source.size == 5000)
        }
        #expect(server.log.requests.count == 1)
        let forgotten = try ByteSource("http://server/segment.ts", network: network)
        forgotten.forget()
        #expect(try ByteSource("http://server/segment.ts", network: network).readAll(limit: 10_000)?.count == 5000)
        #expect(server.log.requests.count == 2)
    }

    @Test("pieces of a live stream are asked for each time, for their names may come again")
    func live() throws {
        let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n"
        let growing = FakeServer { _ in nil }.network()
        _ = growing.takePlaylist(Array(playlist.utf8), at: nil)
        #expect(growing.isGrowing)
        let whole = FakeServer { _ in nil }.network()
        _ = whole.takePlaylist(Array((playlist + "#EXT-X-ENDLIST\n").utf8), at: nil)
        _ = whole.takePlaylist(Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n".utf8), at: nil)
        #expect(!whole.isGrowing)
    }

    private func longFilm() -> Clip {
        var clip = Kind.all[0].clip
        clip.duration = 20
        clip.more = ["-movflags", "+faststart"]
        return clip
    }
}

/// Numbers that are the same each time.
private struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
