import Casting
import FoundationEssentials
import Synchronization

/// A manifest of DASH as libavformat sees it: playlists at addresses that lead nowhere else.
final class DashStream: Sendable {
    /// The master playlist.
    let master: [UInt8]
    private let address: String
    private let updatePeriod: Double?
    private let isLive: Bool
    private let listing: Mutex<Listing>

    /// What a live stream's manifest says anew from time to time.
    fileprivate struct Listing: Sendable {
        var playlists: DashPlaylists
        /// Of each stream: the number of its first segment, and when its segments begin.
        var numbers: [(sequence: Int, starts: [Double])]
        var readAt = HostTime.now
    }

    private static let place = "http://dash.invalid/"
    private static let longestIndex: Int64 = 4 << 20

    /// Reads a manifest, and the indexes of files that it does not list the pieces of.
    ///
    /// - Throws: `unsupportedURL` where it leads elsewhere than to the web, `fileFailedToParse`, and the network's errors.
    init(_ manifest: [UInt8], address: String, network: Network) throws(CastError) {
        self.address = address
        let read = try Self.read(manifest, address: address)
        guard var playlists = DashPlaylists(read) else { throw .noPieces }
        for (place, item) in playlists.chosen.enumerated() {
            guard let index = item.index, let range = index.range, range.count <= Self.longestIndex else { continue }
            let source = try ByteSource(index.address, first: range.first, length: range.count, network: network)
            guard let box = try source.readAll(limit: Int(Self.longestIndex)),
                let segments = SegmentIndex.segments(box, at: range.first)
            else { continue }
            playlists.split(place, into: segments)
        }
        isLive = read.isLive
        updatePeriod = read.updatePeriod
        let numbers = playlists.chosen.map { (sequence: 0, starts: $0.segments.map(\.start)) }
        listing = Mutex(Listing(playlists: playlists, numbers: numbers))
        master = Array(playlists.master { "\(Self.place)\($0).m3u8" }.utf8)
    }

    /// The playlist at an address; nil where it is none of these.
    func playlist(at address: String, network: Network) throws(CastError) -> [UInt8]? {
        guard address.hasPrefix(Self.place),
            let place = Int(address.dropFirst(Self.place.count).prefix { $0.isNumber }),
            listing.withLock({ $0.playlists.chosen.indices.contains(place) })
        else { return nil }
        if isLive { try update(network) }
        return listing.withLock { Array($0.playlists.media(place, sequence: $0.numbers[place].sequence).utf8) }
    }

    /// Reads the manifest of a live stream again, where it is time.
    private func update(_ network: Network) throws(CastError) {
        guard HostTime.now.seconds(since: listing.withLock { $0.readAt }) >= max(1, updatePeriod ?? 1) else { return }
        network.cache.forget(address)
        let source = try ByteSource(address, network: network)
        guard let bytes = try source.readAll(limit: 8 << 20) else { throw .longPlaylist }
        let manifest = try Self.read(bytes, address: address)
        guard let fresh = DashPlaylists(manifest) else { return }
        listing.withLock { $0.take(fresh) }
    }

    private static func read(_ bytes: [UInt8], address: String) throws(CastError) -> DashManifest {
        let text = String(decoding: bytes, as: UTF8.self)
        guard !PlaylistProtection.isProtected(dash: text) else { throw .protected }
        guard let manifest = DashManifest(text, address: address, now: Date().timeIntervalSince1970) else {
            throw .unsupportedURL
        }
        return manifest
    }
}

extension DashStream.Listing {
    /// Takes over what the manifest says now; nothing where it is not of the same streams.
    fileprivate mutating func take(_ fresh: DashPlaylists) {
        guard fresh.chosen.count == playlists.chosen.count else { return }
        readAt = .now
        playlists = fresh
        for (place, item) in fresh.chosen.enumerated() {
            let starts = item.segments.map(\.start)
            let dropped = numbers[place].starts.firstIndex { abs($0 - (starts.first ?? 0)) < 0.01 }
            numbers[place] = (numbers[place].sequence + (dropped ?? numbers[place].starts.count), starts)
        }
    }
}

extension CastError {
    fileprivate static let noPieces = CastError(
        .fileFailedToParse, "There is neither picture nor sound in this media.", hint: "Try another file.")
}
