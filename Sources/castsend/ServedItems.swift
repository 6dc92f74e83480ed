import Arguments
import Casting
import FoundationEssentials
import Sender

/// What the command line names, as items to play; those that are files of this machine are served as long as this is kept.
struct ServedItems {
    /// The items, each with an id of its own: by it the events about it are known.
    private(set) var items: [MediaItem]
    private let server: MediaServer?

    /// Whether any of it comes from this machine.
    var isServing: Bool { server != nil }

    /// Begins to serve what has to be.
    ///
    /// - Parameters:
    ///   - items: what is to be played, without the addresses of files.
    ///   - sources: where each comes from.
    ///   - subtitles: what goes with each.
    init(_ items: [MediaItem], _ sources: [Source], _ subtitles: [PlaySubtitles], for found: FoundReceiver) throws {
        var paths: [String] = []
        for (source, subtitles) in zip(sources, subtitles) {
            if case .file(let path) = source { paths.append(path) }
            paths += subtitles.files.map(\.path)
        }
        server =
            paths.isEmpty
            ? nil : try MediaServer(files: paths, localAddress: found.localAddress, scope: found.scope)
        var served = (server?.files ?? [])[...]
        self.items = items
        for index in items.indices {
            self.items[index].id = UUID().uuidString.lowercased()
            if case .file = sources[index], let file = served.popFirst() {
                self.items[index].url = file.url
                self.items[index].contentType = file.contentType
            }
            let texts = served.prefix(subtitles[index].files.count).map(\.url)
            served = served.dropFirst(texts.count)
            self.items[index].subtitles = subtitles[index].external(served: texts)
        }
    }

    /// Serves no longer.
    func stop() { server?.stop() }
}

extension [Source] {
    /// Refuses files that cannot be served, before anything is looked for.
    func check() throws {
        for case .file(let path) in self { try MediaServer.check(path) }
    }

    /// The headers of the command line, which are for web addresses.
    func headers(_ texts: [String]) throws(UsageError) -> [String: String]? {
        let headers = try Source.headers(texts)
        let hasAddress = contains { if case .url = $0 { true } else { false } }
        if headers != nil, !hasAddress { throw UsageError("--header is for web addresses, not for files.") }
        return headers
    }
}

extension FoundReceiver {
    /// The network interface of a link-local address; nil for every other.
    fileprivate var scope: String? {
        guard localAddress.lowercased().hasPrefix("fe80:") else { return nil }
        return client.endpoint.host.split(separator: "%", maxSplits: 1).dropFirst().first.map(String.init)
    }
}
