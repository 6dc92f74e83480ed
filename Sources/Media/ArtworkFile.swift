public import Casting

extension Artwork {
    /// Loads an image file from the network; blocks until it is there.
    ///
    /// - Parameter cancellation: ends the call.
    /// - Throws: the errors of the network; `fileFormatNotRecognized` for what is no image, or far too large.
    public static func load(_ location: MediaLocation, cancellation: Cancellation) throws(CastError) -> Artwork {
        let network = Network(MediaSupply(location), cancellation: cancellation)
        let source = try ByteSource(location.url, isItem: true, network: network)
        guard let bytes = try source.readAll(limit: Demuxer.largestArtwork), let artwork = Artwork(bytes) else {
            throw CastError(.fileFormatNotRecognized, "The artwork is no picture.")
        }
        return artwork
    }
}
