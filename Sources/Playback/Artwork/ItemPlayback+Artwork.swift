internal import Casting
internal import Media

/// The picture that goes with an item: the sender's where it names one that can be had, else the media's own.
final class ArtworkShelf: Sendable {
    private let shelf = Monitor<Artwork?>(nil)
    /// Ends the loading of the sender's.
    let cancellation = Cancellation()

    /// The picture; nil while there is none.
    var artwork: Artwork? {
        get { shelf.withLock { $0 } }
        set { shelf.withLock { $0 = newValue } }
    }
}

extension ItemPlayback {
    /// Takes the media's own picture, and begins to load the sender's.
    func findArtwork(_ own: Artwork?) {
        artworkShelf.artwork = own
        guard let url = item.artworkURL else { return }
        _ = thread("artwork") { item in
            let artwork = try? Artwork.load(MediaLocation(url: url), cancellation: item.artworkShelf.cancellation)
            guard let artwork else { return }
            item.artworkShelf.artwork = artwork
            item.tell(.changed)
        }
    }
}
