import Casting
import Receiver
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventFeedTests {
    /// Reads until an event of an item that has ended with that id comes.
    private func read(_ feed: EventFeed, until itemID: String) async -> [EventFeed.Element] {
        var elements: [EventFeed.Element] = []
        for await element in feed {
            elements.append(element)
            if case .ended(itemID) = element.event { break }
        }
        return elements
    }

    @Test("a listener gets the complete state first, then everything in order")
    func order() async throws {
        let stage = Stage()
        let grant = try await stage.playing()
        let feed = try await stage.receiver.events(session: grant.id)
        let reading = Task { await read(feed, until: "last") }
        for number in 0..<500 { stage.player.tell(.stalled(itemID: "\(number)")) }
        stage.player.tell(.ended(itemID: "last"))
        let elements = await reading.value
        guard case .state(let state) = elements.first?.event else {
            Issue.record("no state first")
            return
        }
        #expect(state.item?.title == "Film")
        let ids = elements.compactMap(\.id)
        #expect(ids.count == elements.count)
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 + 1 == $1 })
    }

    @Test("200 listeners hear the same under load")
    func manyListeners() async throws {
        let stage = Stage()
        let grant = try await stage.playing()
        let start = try #require(await read(first: stage.receiver.events(session: grant.id))?.id)
        let feeds = try await (0..<200).asyncMap { _ in try await stage.receiver.events(session: grant.id, after: start)
        }
        let readings = feeds.map { feed in Task { await read(feed, until: "last") } }
        for number in 0..<900 { stage.player.tell(.stalled(itemID: "\(number)")) }
        stage.player.tell(.ended(itemID: "last"))
        let expected = (0..<900).map { Event.stalled(itemID: "\($0)") } + [.ended(itemID: "last")]
        for reading in readings { #expect(await reading.value.compactMap(\.event) == expected) }
    }

    private func read(first feed: EventFeed) async -> EventFeed.Element? {
        var iterator = feed.makeAsyncIterator()
        return await iterator.next()
    }

    @Test("a listener that comes back gets exactly what it missed")
    func resume() async throws {
        let stage = Stage()
        let grant = try await stage.playing()
        let receiver = stage.receiver
        let place = try #require(await read(first: receiver.events(session: grant.id))?.id)
        stage.player.tell(.stalled(itemID: "a"))
        stage.player.tell(.ended(itemID: "b"))
        let missed = await read(try await receiver.events(session: grant.id, after: place), until: "b")
        #expect(missed.map(\.id) == [place + 1, place + 2])
        #expect(missed.compactMap(\.event) == [.stalled(itemID: "a"), .ended(itemID: "b")])
        // What it missed is kept only so long; then, and for an id from elsewhere, it is the complete state again.
        for id in [-1, place + 1000, Int.max, Int.min] {
            guard case .state = try await read(first: receiver.events(session: grant.id, after: id))?.event else {
                Issue.record("no state for \(id)")
                continue
            }
        }
        for number in 0..<3000 { stage.player.tell(.stalled(itemID: "\(number)")) }
        stage.player.tell(.ended(itemID: "c"))
        let observer = try await receiver.events(session: grant.id, after: place + 2)
        #expect(
            await eventually {
                guard case .state = try? await read(first: receiver.events(session: grant.id, after: place))?.event
                else {
                    return false
                }
                return true
            })
        _ = observer
    }

    @Test("one that was away when its session ended hears how, once")
    func resumeAfterEnd() async throws {
        let stage = Stage()
        let grant = try await stage.playing()
        let place = try #require(await read(first: stage.receiver.events(session: grant.id))?.id)
        _ = try await stage.open(Stage.bert, .always)
        var elements: [EventFeed.Element] = []
        for await element in try await stage.receiver.events(session: grant.id, after: place) {
            elements.append(element)
        }
        guard case .routeLost(let loss) = elements.last?.event, elements.count == 1 else {
            Issue.record("\(elements)")
            return
        }
        #expect(loss.by == "Bert's laptop")
        let last = elements[0].id
        await #expect(throws: CastError.self) { try await stage.receiver.events(session: grant.id, after: last) }
        await #expect(throws: CastError.self) { try await stage.receiver.events(session: grant.id) }
    }

    @Test("progress comes at the interval while playing, on a stop and a jump, and not while paused")
    func progress() async throws {
        let stage = Stage()
        let grant = try await stage.playing()
        let receiver = stage.receiver
        let feed = try await receiver.events(session: grant.id, progressInterval: 0.1)
        var iterator = feed.makeAsyncIterator()
        func nextProgress() async -> Timeline? {
            while let element = await iterator.next() {
                if case .progress(let timeline) = element.event {
                    #expect(element.id == nil)
                    return timeline
                }
            }
            return nil
        }
        let start = try #require(await nextProgress())
        #expect(start.effectiveRate == 1)
        var before = start.position
        for _ in 0..<3 {
            let position = try #require(await nextProgress()).position
            #expect(position > before)
            before = position
        }
        try await receiver.perform(.pause, session: grant.id)
        var stopped = try #require(await nextProgress())
        while stopped.effectiveRate != 0 { stopped = try #require(await nextProgress()) }
        try await receiver.perform(.seek(SeekRequest(position: 77)), session: grant.id)
        // Nothing came in between: the very next is the jump's.
        #expect(await nextProgress()?.position == 77)
        try await receiver.perform(.play, session: grant.id)
        #expect(await nextProgress()?.effectiveRate == 1)
    }

    @Test("a quiet feed beats")
    func heartbeat() async throws {
        let stage = Stage()
        let grant = try await stage.open()
        var iterator = try await stage.receiver.events(session: grant.id, heartbeat: 0.02).makeAsyncIterator()
        #expect(await iterator.next()?.event != nil)
        for _ in 0..<3 { #expect(await iterator.next() == .heartbeat) }
    }

    @Test("a listener whose task is cancelled stops at once")
    func cancel() async throws {
        let stage = Stage()
        let grant = try await stage.open()
        let feed = try await stage.receiver.events(session: grant.id, heartbeat: 600)
        let (heard, hears) = AsyncStream.makeStream(of: Void.self)
        let reading = Task { for await _ in feed { hears.yield() } }
        var iterator = heard.makeAsyncIterator()
        _ = await iterator.next()
        reading.cancel()
        await reading.value
    }

    @Test("observers within the program hear everything, across sessions, until the end")
    func observers() async throws {
        let stage = Stage()
        let events = stage.receiver.observe()
        let first = try await stage.open()
        try await stage.receiver.end(session: first.id)
        let second = try await stage.open(Stage.bert)
        _ = try? await stage.receiver.perform(.load(MediaItem(url: "http://host/broken")), session: second.id)
        await stage.receiver.shutdown()
        var names: [String] = []
        for await event in events { names.append(event.name) }
        #expect(names.filter { $0 == "routeLost" }.count == 2)
        #expect(names.contains("failed"))
    }
}

extension Sequence {
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var result: [T] = []
        for element in self { result.append(try await transform(element)) }
        return result
    }
}
