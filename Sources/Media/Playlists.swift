import Casting

/// The playlists of a streamed item, as they are handed to libavformat.
struct Playlists {
    /// Those of films, by their addresses: they stay the same, and going elsewhere asks for none again.
    private var kept: [String: [UInt8]] = [:]
    /// From which time on the segments are wanted; nil for all.
    var start: Double?
    /// Where the first of the wanted segments begins, in the playlist read last.
    private(set) var begun: Double?
    /// Whether the clock may have jumped before the first of the wanted segments.
    private(set) var jumpsBefore = false
    /// Whether any playlist has a discontinuity.
    private(set) var hasDiscontinuities = false
    /// Whether segments come with a map, as those of fragmented MP4 do.
    private(set) var hasMaps = false

    /// A playlist that was read before.
    func playlist(at address: String) -> [UInt8]? { kept[address] }

    /// Takes in a playlist that was read, and answers what is to be read of it.
    ///
    /// - Parameter address: where it came from; nil for the item itself.
    mutating func take(_ bytes: [UInt8], at address: String?) -> [UInt8] {
        guard let playlist = MediaPlaylist(String(decoding: bytes, as: UTF8.self)), playlist.isFinished else {
            return bytes
        }
        if let address, kept.count < 64 { kept[address] = bytes }
        hasDiscontinuities = hasDiscontinuities || playlist.hasDiscontinuities
        hasMaps = hasMaps || playlist.segments[0].holding.contains { $0.hasPrefix("#EXT-X-MAP") }
        guard let start else { return bytes }
        let first = playlist.segment(at: start)
        if begun == nil {
            begun = first.start
            jumpsBefore = first.discontinuities > 0
        }
        return Array(playlist.text(from: start).utf8)
    }

    /// Has all playlists be read from a time on.
    mutating func begin(at time: Double) {
        start = time
        begun = nil
        jumpsBefore = false
    }
}
