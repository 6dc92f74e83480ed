import Casting
import Testing

@testable import Playback

@Suite struct PlayQueueTests {
    private func item(_ name: String, id: String? = nil) -> MediaItem {
        var item = MediaItem(url: "http://127.0.0.1/\(name)")
        item.id = id
        return item
    }

    private func ids(_ queue: PlayQueue) -> [String] { queue.items.compactMap(\.id) }

    @Test func `every item has an id of its own`() throws {
        var queue = PlayQueue()
        queue.replace(by: item("a"))
        try queue.insert([item("b"), item("c", id: "item-2"), item("d")], before: nil)
        #expect(Set(ids(queue)).count == 4)
        #expect(queue.items.map(\.url).map { $0.suffix(1) } == ["a", "b", "c", "d"])
    }

    @Test func `an id that is taken is refused, and nothing is put in`() throws {
        var queue = PlayQueue()
        queue.replace(by: item("a", id: "x"))
        let before = queue
        #expect(throws: CastError.self) { try queue.insert([item("b"), item("c", id: "x")], before: nil) }
        #expect(throws: CastError.self) { try queue.insert([item("b", id: "y"), item("c", id: "y")], before: nil) }
        let error = #expect(throws: CastError.self) { try queue.insert([item("b")], before: "nobody") }
        #expect(error?.code == .notFound)
        #expect(queue == before)
    }

    @Test func `items put before the current one leave it current`() throws {
        var queue = PlayQueue()
        queue.replace(by: item("c", id: "c"))
        try queue.insert([item("a", id: "a"), item("b", id: "b")], before: "c")
        #expect(ids(queue) == ["a", "b", "c"])
        #expect(queue.current?.id == "c")
        #expect(!queue.hasNext)
        #expect(queue.goBack()?.id == "b")
        #expect(queue.goBack()?.id == "a")
        #expect(queue.goBack() == nil)
        #expect(queue.advance()?.id == "b")
    }

    @Test func `at the end there is no next`() throws {
        var queue = PlayQueue()
        #expect(queue.advance() == nil)
        try queue.insert([item("a", id: "a")], before: nil)
        #expect(queue.current == nil)
        #expect(queue.advance()?.id == "a")
        #expect(queue.advance() == nil)
        #expect(queue.current?.id == "a")
    }

    @Test func `taking the current item out makes the next one current`() throws {
        var queue = PlayQueue()
        queue.replace(by: item("a", id: "a"))
        try queue.insert([item("b", id: "b"), item("c", id: "c")], before: nil)
        #expect(try queue.remove("a"))
        #expect(queue.current?.id == "b")
        #expect(try !queue.remove("c"))
        #expect(try queue.remove("b"))
        #expect(queue.current == nil)
        #expect(throws: CastError.self) { try queue.remove("b") }
    }

    @Test func `clearing leaves the current item`() throws {
        var queue = PlayQueue()
        queue.replace(by: item("b", id: "b"))
        try queue.insert([item("a", id: "a")], before: "b")
        try queue.insert([item("c", id: "c")], before: nil)
        queue.removeOthers()
        #expect(ids(queue) == ["b"])
        #expect(queue.current?.id == "b")
    }
}
