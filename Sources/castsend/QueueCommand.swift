import Arguments
import Casting
import Sender

/// `castsend queue`.
struct QueueCommand {
    private let context: Context
    private var output: Output { context.output }

    init(_ context: Context) { self.context = context }

    func add() async throws -> ExitCode {
        let sources = try context.arguments.sources()
        let items = try context.arguments.items(sources)
        try sources.check()
        let subtitles = try sources.map { try PlaySubtitles([], of: $0, findsOwn: true) }
        let found = try await context.find()
        let served = try ServedItems(items, sources, subtitles, for: found)
        defer { served.stop() }
        let session = try await context.keeper.existing(with: found) { session throws(CastError) in
            try await session.enqueue(EnqueueRequest(items: served.items))
            let queue = try await session.queue()
            output.document(queue)
            output.say(
                "\(items.count == 1 ? "1 item" : "\(items.count) items") added; the queue has \(queue.items.count).")
            return session
        }
        guard served.isServing else { return .done }
        output.say("castsend stays to serve what is on this machine; Ctrl-C takes it out of the queue again.")
        var following = Following(session, output: output, queued: served.items, isServing: true)
        let ending = await following.run()
        if case .stoppedByUser = ending {
            output.document(["result": "dequeued"])
            output.say("Taken out of the queue.")
            return .done
        }
        return Closing(output: output, receiver: found.info.name, position: following.position).close(ending)
    }

    func list() async throws -> ExitCode {
        let found = try await context.find()
        return try await context.keeper.existing(with: found) { session throws(CastError) in
            let queue = try await session.queue()
            output.document(queue)
            if queue.items.isEmpty { output.say("The queue is empty.") }
            for (index, item) in queue.items.enumerated() {
                let mark = item.id != nil && item.id == queue.current ? "▶" : " "
                output.say("\(mark) \(index + 1)  \(item.title ?? Redaction.url(item.url))")
            }
            return .done
        }
    }

    func loop() async throws -> ExitCode {
        let word = context.arguments.positional(0) ?? ""
        guard let mode = LoopMode(rawValue: word) else {
            throw UsageError("“\(word)” cannot be looped.", hint: "Write one, all or none.")
        }
        let found = try await context.find()
        return try await context.keeper.existing(with: found) { session throws(CastError) in
            try await session.setOptions(PlaybackOptions(loop: mode))
            output.document(try await session.playback())
            let sentence =
                switch mode {
                case .none: "Nothing is played again."
                case .one: "The current item is played again and again."
                case .all: "The queue is played again and again."
                }
            output.say(sentence)
            return .done
        }
    }

    func clear() async throws -> ExitCode {
        let found = try await context.find()
        return try await context.keeper.existing(with: found) { session throws(CastError) in
            try await session.clearQueue()
            output.document(try await session.queue())
            output.say("The queue is cleared.")
            return .done
        }
    }
}
