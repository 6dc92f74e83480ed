import Arguments
import Casting
import Sender

/// `castsend queue`.
struct QueueCommand {
    private let context: Context
    private var output: Output { context.output }

    init(_ context: Context) { self.context = context }

    func add() async throws -> ExitCode {
        let items = try items()
        let found = try await context.find()
        return try await context.keeper.existing(with: found) { session throws(CastError) in
            try await session.enqueue(EnqueueRequest(items: items))
            let queue = try await session.queue()
            output.document(queue)
            output.say(
                "\(items.count == 1 ? "1 item" : "\(items.count) items") added; the queue has \(queue.items.count).")
            return .done
        }
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

    private func items() throws(UsageError) -> [MediaItem] {
        let words = context.arguments.positionals
        let title = context.arguments.value("title")
        if title != nil, words.count > 1 { throw UsageError("--title is for one address, not for \(words.count).") }
        let pictureDuration = try context.arguments.pictureDuration()
        let headers = try Source.headers(context.arguments.values("header"))
        var items: [MediaItem] = []
        for word in words {
            guard case .url(let url) = try Source(word) else {
                throw UsageError(
                    "“\(word)” is a file, and files cannot be queued.",
                    hint: "A file must be served while it plays, which only “castsend play FILE” does.")
            }
            var item = MediaItem(url: url, title: title)
            item.headers = headers
            item.pictureDuration = pictureDuration
            items.append(item)
        }
        return items
    }
}
