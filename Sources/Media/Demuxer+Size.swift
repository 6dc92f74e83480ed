extension Demuxer {
    /// Bytes of the media in all; nil where not known, and for playlists.
    public var byteCount: Int64? { context.size }
}
