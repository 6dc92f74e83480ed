import Casting
import Receiver
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReceiverSessionTests {
    private func error(_ work: () async throws -> Void) async -> CastError? {
        do {
            try await work()
            return nil
        } catch {
            return error as? CastError
        }
    }

    @Test("a session is used with its token only, and tokens are all different and long")
    func tokens() async throws {
        let stage = Stage()
        let grant = try await stage.open()
        #expect(grant.token.utf8.count >= 43)
        let receiver = stage.receiver
        try await receiver.authorize(session: grant.id, token: grant.token)
        for wrong in [nil, "", "x", String(grant.token.dropLast()), grant.token + "x", grant.token.uppercased() + "-"] {
            #expect(
                await error { try await receiver.authorize(session: grant.id, token: wrong) }?.code == .notAuthorized)
        }
        #expect(await error { try await receiver.authorize(session: "x", token: grant.token) }?.code == .notFound)
        let other = try await stage.open(Stage.bert, .always)
        #expect(other.token != grant.token)
        #expect(
            await error { try await receiver.authorize(session: other.id, token: grant.token) }?.code == .notAuthorized)
    }

    @Test("a refused sender is told who plays, and nothing changes")
    func refusal() async throws {
        let stage = Stage()
        let grant = try await stage.playing()
        for takeover in [nil, Takeover.never, .ifIdle] {
            let refused = await error { _ = try await stage.open(Stage.bert, takeover) }
            #expect(refused?.code == .receiverBusy)
            #expect(refused?.message == "Anna's phone is playing here.")
        }
        #expect(stage.receiver.state.item?.status == .readyToPlay)
        try await stage.receiver.perform(.pause, session: grant.id)
    }

    @Test("a second session of the same sender does not end the first unasked")
    func sameSender() async throws {
        let stage = Stage()
        _ = try await stage.playing()
        let refused = await error { _ = try await stage.open(Stage.anna) }
        #expect(refused?.code == .receiverBusy)
        #expect(refused?.details?["sameSender"] == "true")
        #expect(stage.receiver.state.item != nil)
    }

    @Test("the configured default decides where the sender does not say")
    func defaultTakeover() async throws {
        let stage = Stage(takeover: .never)
        _ = try await stage.open()
        #expect(await error { _ = try await stage.open(Stage.bert) }?.code == .receiverBusy)
        _ = try await stage.open(Stage.bert, .ifIdle)
    }

    @Test("a takeover tells the session before who, what and where, and stops what it played")
    func takeover() async throws {
        let stage = Stage()
        let first = try await stage.playing()
        try await stage.receiver.perform(.pause, session: first.id)
        try await stage.receiver.perform(.seek(SeekRequest(position: 42)), session: first.id)
        let feed = try await stage.receiver.events(session: first.id)
        let second = try await stage.open(Stage.bert, .always)
        #expect(second.state.item == nil)
        #expect(stage.player.state.item == nil)
        var events: [Event] = []
        for await element in feed { if let event = element.event { events.append(event) } }
        guard case .routeLost(let loss) = events.last else {
            Issue.record("no routeLost")
            return
        }
        #expect(loss.reason == .takenOver)
        #expect(loss.by == "Bert's laptop")
        #expect(loss.item?.url == "http://host/film.mp4")
        #expect(loss.position == 42)
        let late = await error { try await stage.receiver.perform(.play, session: first.id) }
        #expect(late?.code == .sessionEnded)
        #expect(late?.details?["by"] == "Bert's laptop")
        #expect(
            await error { try await stage.receiver.authorize(session: first.id, token: first.token) }?.code
                == .sessionEnded)
        #expect(
            await error { try await stage.receiver.authorize(session: first.id, token: "x") }?.code == .notAuthorized)
    }

    @Test("a command under way when its session ends cannot bring its item back")
    func commandUnderWay() async throws {
        let stage = Stage()
        let first = try await stage.open()
        let load = Task {
            await error {
                try await stage.receiver.perform(.load(MediaItem(url: "http://host/slow")), session: first.id)
            }
        }
        #expect(await eventually { stage.player.pendingLoads == 1 })
        let second = try await stage.open(Stage.bert, .always)
        #expect(await load.value?.code == .sessionEnded)
        #expect(stage.player.state.item == nil)
        try await stage.receiver.perform(.load(MediaItem(url: "http://host/b")), session: second.id)
        #expect(stage.player.queue.map(\.url) == ["http://host/b"])
    }

    @Test("of many takeovers at once one sender has the receiver in the end")
    func takeoverStorm() async throws {
        let stage = Stage()
        _ = try await stage.playing()
        let grants = await withTaskGroup(of: SessionGrant?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try? await stage.open(SenderIdentity(id: "\(number)", name: "Sender \(number)"), .always)
                }
            }
            return await group.reduce(into: [SessionGrant]()) { if let grant = $1 { $0.append(grant) } }
        }
        var holders = 0
        for grant in grants
        where await error({ try await stage.receiver.authorize(session: grant.id, token: grant.token) }) == nil {
            holders += 1
            try await stage.receiver.perform(.load(MediaItem(url: "http://host/last")), session: grant.id)
        }
        #expect(holders == 1)
        #expect(stage.player.queue.map(\.url) == ["http://host/last"])
    }

    @Test("ending a session answers what played and where, and leaves the receiver idle and free")
    func end() async throws {
        let stage = Stage()
        let grant = try await stage.playing()
        try await stage.receiver.perform(.seek(SeekRequest(position: 30)), session: grant.id)
        let end = try await stage.receiver.end(session: grant.id)
        #expect(end.item?.title == "Film")
        #expect(end.wasPlaying)
        #expect(end.position.map { $0 >= 30 && $0 < 60 } == true)
        #expect(stage.player.state.item == nil)
        #expect(await stage.receiver.info.currentSender == nil)
        #expect(await error { try await stage.receiver.end(session: grant.id) }?.details?["reason"] == "disconnected")
        let idle = try await stage.open(Stage.bert, .never)
        #expect(try await stage.receiver.end(session: idle.id) == SessionEnd(wasPlaying: false))
    }

    @Test("keys at the TV act as commands do, and Esc ends the session")
    func keys() async throws {
        let stage = Stage()
        let grant = try await stage.playing()
        let feed = try await stage.receiver.events(session: grant.id)
        let (keys, press) = AsyncStream.makeStream(of: Command.self)
        let following = Task { await stage.receiver.follow(keys) }
        press.yield(.togglePlayback)
        #expect(await eventually { stage.player.state.timeControlStatus == .paused })
        press.yield(.setVolume(.adjust(-0.5)))
        #expect(await eventually { stage.player.state.volume == 0.5 })
        press.yield(.setRate(.nan))
        press.yield(.disconnect)
        #expect(await eventually { stage.player.state.item == nil })
        press.finish()
        await following.value
        var last: Event?
        for await element in feed { last = element.event ?? last }
        guard case .routeLost(let loss) = last else {
            Issue.record("no routeLost")
            return
        }
        #expect(loss.reason == .endedAtReceiver)
        #expect(!stage.player.commands.contains { if case .setRate = $0 { true } else { false } })
    }

    @Test("availability follows the item, and who holds it the session")
    func availability() async throws {
        let stage = Stage()
        var documents = stage.receiver.availability().makeAsyncIterator()
        func next(_ availability: Availability, _ sender: String?) async {
            #expect(await documents.next() == AvailabilityDocument(availability: availability, currentSender: sender))
        }
        await next(.idle, nil)
        let grant = try await stage.open()
        await next(.idle, "Anna's phone")
        try await stage.receiver.perform(.load(MediaItem(url: "http://host/a")), session: grant.id)
        await next(.busy, "Anna's phone")
        #expect(await stage.receiver.info.availability == .busy)
        _ = try? await stage.receiver.perform(.load(MediaItem(url: "http://host/broken")), session: grant.id)
        await next(.idle, "Anna's phone")
        await stage.receiver.shutdown()
        await next(.idle, nil)
        #expect(await documents.next() == nil)
    }

    @Test("at the end the session hears of it, the position is saved, and its sender is told when it comes back")
    func restart() async throws {
        let folder = try TemporaryFolder()
        func store() throws -> StateStore { try StateStore(directory: folder.path, log: .silent) }
        try await {
            let stage = Stage(store: try store())
            let grant = try await stage.playing()
            try await stage.receiver.perform(.pause, session: grant.id)
            try await stage.receiver.perform(.seek(SeekRequest(position: 12)), session: grant.id)
            let feed = try await stage.receiver.events(session: grant.id)
            await stage.receiver.shutdown()
            #expect(stage.player.isShutDown)
            var last: Event?
            for await element in feed { last = element.event }
            guard case .routeLost(let loss) = last else {
                Issue.record("no routeLost")
                return
            }
            #expect(loss.reason == .receiverStopping)
            #expect(loss.position == 12)
            #expect(await error { _ = try await stage.open(Stage.bert, .always) }?.code == .sessionEnded)
        }()
        let stage = try Stage(store: eventuallyOpen(store))
        #expect(try await stage.open(Stage.bert).interrupted == nil)
        let back = try await stage.open(Stage.anna)
        #expect(back.interrupted?.position == 12)
        #expect(back.interrupted?.item?.title == "Film")
        try await stage.receiver.perform(.load(MediaItem(url: "http://host/b")), session: back.id)
        #expect(try await stage.open(Stage.anna, .always).interrupted == nil)
    }

    /// The first receiver's store is closed with its last reference.
    private func eventuallyOpen(_ store: () throws -> StateStore) throws -> StateStore {
        for _ in 0..<1000 {
            if let opened = try? store() { return opened }
        }
        return try store()
    }

    @Test("nothing secret is logged")
    func log() async throws {
        let stage = Stage()
        let grant = try await stage.open()
        var item = MediaItem(url: "http://user:pw-secret@host/film.mp4?token=query-secret")
        item.headers = ["Cookie": "cookie-secret"]
        try await stage.receiver.perform(.load(item), session: grant.id)
        _ = try await stage.open(Stage.bert, .always)
        #expect(!stage.lines.all.isEmpty)
        #expect(!stage.lines.all.contains { $0.contains("secret") || $0.contains(grant.token) })
    }

    @Test("what the queue shows has no request headers")
    func queue() async throws {
        let stage = Stage()
        let grant = try await stage.open()
        var item = MediaItem(url: "http://host/film.mp4")
        item.headers = ["Cookie": "a"]
        try await stage.receiver.perform(.load(item), session: grant.id)
        try await stage.receiver.perform(.enqueue([item], before: nil), session: grant.id)
        let queue = stage.receiver.queue
        #expect(queue.items.count == 2)
        #expect(queue.items.allSatisfy { $0.headers == nil && $0.id != nil })
        #expect(queue.current == queue.items[0].id)
    }
}
