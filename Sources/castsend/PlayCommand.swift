import Arguments
import Casting
import FoundationEssentials
import Sender

/// `castsend play`.
struct PlayCommand {
    private let context: Context
    private var output: Output { context.output }
    private var arguments: ParsedArguments { context.arguments }

    init(_ context: Context) { self.context = context }

    func run() async throws -> ExitCode {
        let source = try Source(arguments.positional(0) ?? "")
        let takeover: Takeover? = try arguments.choice("takeover")
        var item = try item(source)
        let options = try options()
        if case .file(let path) = source { try MediaServer.check(path) }
        let subtitles = try PlaySubtitles(
            arguments.values("subtitles"), of: source, findsOwn: !arguments.has("no-subtitles"))
        if arguments.has("detach"), !subtitles.files.isEmpty {
            throw UsageError(
                "Files cannot be played with --detach: castsend must stay to serve them to the receiver.",
                hint: "Leave --detach out, or put “&” after the command.")
        }

        let found = try await context.find()
        let session = try await context.keeper.session(with: found, takeover: takeover)
        var server: MediaServer?
        let texts = subtitles.files.map(\.path)
        if case .file(let path) = source {
            server = try MediaServer(file: path, also: texts, localAddress: found.localAddress, scope: found.scope)
            item.url = server?.url ?? ""
            item.contentType = server?.contentType
        } else if let first = texts.first {
            server = try MediaServer(
                file: first, also: Array(texts.dropFirst()), localAddress: found.localAddress, scope: found.scope)
        }
        let urls = server.map { server in item.url == server.url ? server.others : [server.url] + server.others }
        item.subtitles = subtitles.external(served: urls ?? [])
        defer { server?.stop() }

        let name = item.title.map { "“\($0)”" } ?? Redaction.url(item.url)
        guard !arguments.has("detach") else {
            let present = try await session.playback().options
            if let present, present != present.changed(by: options) { try await session.setOptions(options) }
            try await session.load(item)
            output.document(try await session.playback())
            output.say("\(name) plays on “\(found.info.name)”.")
            return .done
        }
        output.say("Playing \(name) on “\(found.info.name)”.")
        var following = Following(session, output: output, item: item, options: options, isServing: server != nil)
        let ending = await following.run()
        return Closing(output: output, receiver: found.info.name, position: following.position).close(ending)
    }

    /// How it is to be played; how another item was, before it, is forgotten.
    private func options() throws(UsageError) -> PlaybackOptions {
        let action: ItemEndAction? = try arguments.choice("at-end")
        return PlaybackOptions(
            actionAtItemEnd: action ?? .advance, loop: arguments.has("loop") ? .one : LoopMode.none)
    }

    /// The item as the command line describes it; its address is still the source's.
    private func item(_ source: Source) throws(UsageError) -> MediaItem {
        var item = MediaItem(url: "", title: arguments.value("title") ?? source.title)
        item.headers = try Source.headers(arguments.values("header"))
        switch source {
        case .url(let url): item.url = url
        case .file:
            if arguments.has("detach") {
                throw UsageError(
                    "A file cannot be played with --detach: castsend must stay to serve it to the receiver.",
                    hint: "Leave --detach out, or put “&” after the command.")
            }
            if item.headers != nil { throw UsageError("--header is for web addresses, not for files.") }
        }
        if let text = arguments.value("at") {
            guard let time = PlaybackTime.parse(text) else {
                throw UsageError("“\(text)” is no time.", hint: "Write 90, 1:30 or 1:02:03.5.")
            }
            item.startPosition = time
        }
        item.pictureDuration = try arguments.pictureDuration()
        if arguments.has("paused") { item.paused = true }
        if arguments.has("level") { item.normalizesLoudness = true }
        // Its own name for the item: by it the events about this one are known.
        item.id = UUID().uuidString.lowercased()
        return item
    }
}

extension ParsedArguments {
    /// How long a still picture is to be shown, in seconds; nil where that is not said.
    func pictureDuration() throws(UsageError) -> Double? {
        guard let text = value("for") else { return nil }
        guard let seconds = PlaybackTime.parse(text), (0.1...86_400).contains(seconds) else {
            throw UsageError("“\(text)” is no time to show a picture for.", hint: "Write seconds, or 1:30.")
        }
        return seconds
    }
}

extension FoundReceiver {
    /// The network interface of a link-local address; nil for every other.
    fileprivate var scope: String? {
        guard localAddress.lowercased().hasPrefix("fe80:") else { return nil }
        return client.endpoint.host.split(separator: "%", maxSplits: 1).dropFirst().first.map(String.init)
    }
}
