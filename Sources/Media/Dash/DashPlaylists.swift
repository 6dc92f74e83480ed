/// A manifest of DASH told as playlists of HLS (RFC 8216), which are opened by way of `openNested`.
///
/// libavformat's own DASH opens what a manifest leads to with its own HTTP.
struct DashPlaylists {
    /// What is played of the manifest: the best sensible picture, and each sound and text in its best quality.
    private(set) var chosen: [DashManifest.Representation]
    private let isLive: Bool

    init?(_ manifest: DashManifest) {
        isLive = manifest.isLive
        let sensible = Double(MasterPlaylist.sensibleHeight)
        let videos = manifest.representations.filter { $0.kind == "video" }
        func height(_ one: DashManifest.Representation) -> Double { Double(one.height ?? 0) }
        let low = videos.filter { height($0) <= sensible }
        let video =
            low.isEmpty
            ? videos.min { height($0) < height($1) }
            : low.max { (height($0), $0.bandwidth) < (height($1), $1.bandwidth) }
        var others: [DashManifest.Representation] = []
        for kind in ["audio", "text"] {
            let all = manifest.representations.filter { $0.kind == kind }
            var seen: Set<Int> = []
            for one in all where seen.insert(one.set).inserted {
                others += [all.filter { $0.set == one.set }.max { $0.bandwidth < $1.bandwidth }].compactMap { $0 }
            }
        }
        chosen = [video].compactMap { $0 } + others
        chosen.removeAll { $0.segments.isEmpty || ($0.kind == "text" && isLive) }
        guard chosen.contains(where: { $0.kind != "text" }) else { return nil }
    }

    /// Puts a file's pieces in the place of the whole file.
    mutating func split(_ place: Int, into segments: [(first: Int64, count: Int64, duration: Double)]) {
        guard let file = chosen[place].segments.first?.piece.address else { return }
        var start = 0.0
        chosen[place].segments = segments.map { piece in
            defer { start += piece.duration }
            return .init(
                piece: .init(address: file, range: (piece.first, piece.count)), start: start, duration: piece.duration)
        }
        if chosen[place].initialization == nil, let first = segments.first {
            chosen[place].initialization = .init(address: file, range: (0, first.first))
        }
    }

    /// The master playlist.
    ///
    /// - Parameter address: gives where the playlist of a number is to be found.
    func master(_ address: (Int) -> String) -> String {
        var lines = ["#EXTM3U"]
        let main = chosen.firstIndex { $0.kind == "video" } ?? 0
        var groups = ""
        for (place, item) in chosen.enumerated() where place != main {
            let type = item.kind == "text" ? "SUBTITLES" : "AUDIO"
            let name = item.label ?? item.language ?? "\(place)"
            var line = "#EXT-X-MEDIA:TYPE=\(type),GROUP-ID=\"\(type)\",NAME=\"\(quoted(name))\""
            if let language = item.language { line += ",LANGUAGE=\"\(quoted(language))\"" }
            if !groups.contains(type) {
                groups += ",\(type)=\"\(type)\""
                if type == "AUDIO" { line += ",DEFAULT=YES,AUTOSELECT=YES" }
            }
            lines.append(line + ",URI=\"\(address(place))\"")
        }
        var variant = "#EXT-X-STREAM-INF:BANDWIDTH=\(max(1, chosen[main].bandwidth))"
        if let width = chosen[main].width, let height = chosen[main].height {
            variant += ",RESOLUTION=\(width)x\(height)"
        }
        return (lines + [variant + groups, address(main), ""]).joined(separator: "\n")
    }

    /// The playlist of one stream.
    ///
    /// - Parameter sequence: the number of its first piece.
    func media(_ place: Int, sequence: Int = 0) -> String {
        let item = chosen[place]
        let longest = item.segments.map(\.duration).max() ?? 1
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max(1, Int(min(longest, 1e6).rounded(.up))))",
            "#EXT-X-MEDIA-SEQUENCE:\(sequence)",
        ]
        if let map = item.initialization {
            let range = map.range.map { ",BYTERANGE=\"\($0.count)@\($0.first)\"" } ?? ""
            lines.append("#EXT-X-MAP:URI=\"\(plain(map.address))\"\(range)")
        }
        for segment in item.segments {
            lines.append("#EXTINF:\(segment.duration),")
            if let range = segment.piece.range { lines.append("#EXT-X-BYTERANGE:\(range.count)@\(range.first)") }
            lines.append(plain(segment.piece.address))
        }
        if !isLive { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func quoted(_ text: String) -> String {
        text.filter { $0 != "\"" && !$0.isNewline && $0 != "," }
    }

    private func plain(_ address: String) -> String {
        address.replacing("\"", with: "%22")
    }
}
