import Arguments
import Casting
import Sender

/// The subtitles to go with a film: those of the command line, else those that lie beside its file.
struct PlaySubtitles {
    /// Files of this machine, to be served.
    private(set) var files: [SubtitleFinder.Found] = []
    /// Web addresses.
    private var addresses: [String] = []

    /// - Parameters:
    ///   - words: web addresses and files, as the command line names them.
    ///   - findsOwn: whether to look beside the film where none are named.
    init(_ words: [String], of film: Source, findsOwn: Bool) throws {
        for word in words {
            switch try Source(word) {
            case .url(let url): addresses.append(url)
            case .file(let path):
                try MediaServer.check(path)
                let name = path.split(separator: "/").last.map(String.init)
                files.append(SubtitleFinder.Found(path: path, name: name))
            }
        }
        guard words.isEmpty, findsOwn, case .file(let path) = film else { return }
        files = SubtitleFinder.beside(path).filter { (try? MediaServer.check($0.path)) != nil }
    }

    /// As the receiver is to know them; nil for none.
    ///
    /// - Parameter urls: where each of `files` is served.
    func external(served urls: [String]) -> [ExternalSubtitles]? {
        let all =
            zip(files, urls).map { ExternalSubtitles(url: $1, language: $0.language, name: $0.name) }
            + addresses.map { ExternalSubtitles(url: $0) }
        return all.isEmpty ? nil : all
    }
}
