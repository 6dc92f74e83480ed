import Arguments
import Casting
import Sender

/// `castsend play`.
struct PlayCommand {
    private let context: Context
    private var output: Output { context.output }
    private var arguments: ParsedArguments { context.arguments }

    init(_ context: Context) { self.context = context }

    func run() async throws -> ExitCode {
        let sources = try arguments.sources()
        let takeover: Takeover? = try arguments.choice("takeover")
        let items = try items(sources)
        let options = try options(count: items.count)
        try sources.check()
        let subtitles = try subtitles(of: sources)
        if arguments.has("detach"), subtitles.contains(where: { !$0.files.isEmpty }) {
            throw UsageError(
                "Files cannot be played with --detach: castsend must stay to serve them to the receiver.",
                hint: "Leave --detach out, or put “&” after the command.")
        }

        let found = try await context.find()
        let session = try await context.keeper.session(with: found, takeover: takeover)
        let served = try ServedItems(items, sources, subtitles, for: found)
        defer { served.stop() }
        guard let first = served.items.first else { return .done }
        let rest = Array(served.items.dropFirst())

        let others = rest.isEmpty ? "" : rest.count == 1 ? " and another" : " and \(rest.count) others"
        let name = (first.title.map { "“\($0)”" } ?? Redaction.url(first.url)) + others
        guard !arguments.has("detach") else {
            let present = try await session.playback().options
            if let present, present != present.changed(by: options) { try await session.setOptions(options) }
            try await session.load(first)
            if !rest.isEmpty { try await session.enqueue(EnqueueRequest(items: rest)) }
            output.document(try await session.playback())
            output.say("\(name) \(rest.isEmpty ? "plays" : "play") on “\(found.info.name)”.")
            return .done
        }
        output.say("Playing \(name) on “\(found.info.name)”.")
        var following = Following(
            session, output: output, item: first, queued: rest, options: options, isServing: served.isServing)
        let ending = await following.run()
        return Closing(output: output, receiver: found.info.name, position: following.position).close(ending)
    }

    /// How it is to be played; how another item was, before it, is forgotten.
    private func options(count: Int) throws(UsageError) -> PlaybackOptions {
        let action: ItemEndAction? = try arguments.choice("at-end")
        let loop: LoopMode = !arguments.has("loop") ? .none : count > 1 ? .all : .one
        return PlaybackOptions(actionAtItemEnd: action ?? .advance, loop: loop)
    }

    /// What goes with each: named for a single one, else what lies beside it.
    private func subtitles(of sources: [Source]) throws -> [PlaySubtitles] {
        let named = arguments.values("subtitles")
        if !named.isEmpty, sources.count > 1 {
            throw UsageError("--subtitles is for one film, not for \(sources.count).")
        }
        return try sources.map { try PlaySubtitles(named, of: $0, findsOwn: !arguments.has("no-subtitles")) }
    }

    /// The items as the command line describes them; the addresses of files are not known yet.
    private func items(_ sources: [Source]) throws(UsageError) -> [MediaItem] {
        var items = try arguments.items(sources)
        for index in items.indices {
            if case .file = sources[index], arguments.has("detach") {
                throw UsageError(
                    "A file cannot be played with --detach: castsend must stay to serve it to the receiver.",
                    hint: "Leave --detach out, or put “&” after the command.")
            }
            if arguments.has("level") { items[index].normalizesLoudness = true }
        }
        if let text = arguments.value("at") {
            guard let time = PlaybackTime.parse(text) else {
                throw UsageError("“\(text)” is no time.", hint: "Write 90, 1:30 or 1:02:03.5.")
            }
            items[0].startPosition = time
        }
        if arguments.has("paused") { items[0].paused = true }
        return items
    }
}

extension ParsedArguments {
    /// What is to be played.
    func sources() throws(UsageError) -> [Source] {
        var sources: [Source] = []
        for word in positionals { sources.append(try Source(word)) }
        return sources
    }

    /// What is to be played as items; the addresses of files are not known yet.
    func items(_ sources: [Source]) throws(UsageError) -> [MediaItem] {
        let title = value("title")
        if title != nil, sources.count > 1 { throw UsageError("--title is for one thing, not for \(sources.count).") }
        let headers = try sources.headers(values("header"))
        let pictureDuration = try pictureDuration()
        return sources.map { source in
            var item = MediaItem(url: "", title: title ?? source.title)
            if case .url(let url) = source { (item.url, item.headers) = (url, headers) }
            item.pictureDuration = pictureDuration
            return item
        }
    }

    /// How long a still picture is to be shown, in seconds; nil where that is not said.
    private func pictureDuration() throws(UsageError) -> Double? {
        guard let text = value("for") else { return nil }
        guard let seconds = PlaybackTime.parse(text), (0.1...86_400).contains(seconds) else {
            throw UsageError("“\(text)” is no time to show a picture for.", hint: "Write seconds, or 1:30.")
        }
        return seconds
    }
}
