internal import Casting
internal import Media

/// The files of subtitles that were handed in with an item: loads one when it is wanted, on a thread of its own.
final class SubtitleFiles: Sendable {
    private struct State {
        var begun: Set<Int> = []
        var failures: [Int: CastError] = [:]
        var isClosed = false
    }

    /// Seconds that a file may take to come.
    private static let patience = 15.0

    private let locations: [MediaLocation]
    private let state = Monitor(State())
    private let cancellation = Cancellation()

    /// The files of an item. Its headers are for the media's origin, and go to it alone.
    init(_ item: MediaItem) {
        let media = Origin.of(item.url)
        locations = (item.subtitles ?? []).map { file in
            MediaLocation(url: file.url, headers: Origin.of(file.url) == media ? item.headers ?? [:] : [:])
        }
    }

    /// How many there are.
    var count: Int { locations.count }

    /// Why a file cannot be shown; nil while nothing says that it cannot.
    func failure(of index: Int) -> CastError? { state.withLock { $0.failures[index] } }

    /// Begins to load a file, if that has not begun.
    ///
    /// - Parameters:
    ///   - thread: starts a thread.
    ///   - done: called on that thread with the file, or with why it cannot be had.
    func load(
        _ index: Int, thread: (@escaping @Sendable () -> Void) -> Void,
        done: @escaping @Sendable (Result<SubtitleFile, CastError>) -> Void
    ) {
        guard locations.indices.contains(index),
            state.withLock({ !$0.isClosed && $0.begun.insert(index).inserted })
        else { return }
        thread { [self] in
            let deadline = Cancellation(timeout: Self.patience)
            let hook = cancellation.addHook { deadline.cancel() }
            defer { cancellation.removeHook(hook) }
            do throws(CastError) {
                done(.success(try SubtitleFile(locations[index], cancellation: deadline)))
            } catch {
                guard !cancellation.isCancelled else { return }
                state.withLock { $0.failures[index] = error }
                done(.failure(error))
            }
        }
    }

    /// Loads no more, and ends what is being loaded.
    func close() {
        state.withLock { $0.isClosed = true }
        cancellation.cancel()
    }
}

/// What may share headers: scheme, host and port of a URL.
private enum Origin {
    static func of(_ url: String) -> Substring {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        return url[..<end]
    }
}
