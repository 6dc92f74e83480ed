import Casting
import Media
import Screen
import Synchronization
import Threads

/// Decodes the picture that goes with what plays, for the screen: on a thread of its own, once for each picture.
final class CoverFeed: Sendable {
    private struct Wanted: Equatable {
        var itemID: String
        var mediaType: String
        var bytes: Int
    }

    private let wanted = Mutex<Wanted?>(nil)
    private let artwork: @Sendable () -> Artwork?
    private let show: @Sendable (ArtworkImage?) -> Void

    /// - Parameters:
    ///   - artwork: the picture that goes with the current item.
    ///   - show: takes what is to be on the screen.
    init(artwork: @escaping @Sendable () -> Artwork?, show: @escaping @Sendable (ArtworkImage?) -> Void) {
        self.artwork = artwork
        self.show = show
    }

    /// Takes in what happens in playback.
    func hear(_ event: Event) {
        guard case .state(let state) = event else { return }
        // A film has its own picture.
        let hasFilm = state.item?.tracks.contains { $0.kind == .visual } ?? true
        let picture = hasFilm || state.item?.artworkType == nil ? nil : artwork()
        let new = picture.map { Wanted(itemID: state.item?.id ?? "", mediaType: $0.mediaType, bytes: $0.bytes.count) }
        let isNews = wanted.withLock { wanted in
            defer { wanted = new }
            return wanted != new
        }
        guard isNews else { return }
        guard let picture else { return show(nil) }
        OwnThread.start("cover") { [self] in
            let image = (try? VideoFrame.decode(picture)).map(ArtworkImage.init)
            // Only if nothing else was wanted meanwhile.
            if wanted.withLock({ $0 == new }) { show(image) }
        }
    }
}
