/// Which of libavformat's demuxers to use: a decision from what the bytes look like and what people say they are.
enum FormatChoice {
    /// The demuxers whose media castway plays; everything else libavformat knows is kept out.
    static let allowed: Set<String> = [
        "mov", "matroska", "mpegts", "mpeg", "flv", "live_flv", "ogg", "avi", "asf", "mp3", "flac", "wav", "w64",
        "aac", "ac3", "eac3", "dts", "dtshd", "truehd", "caf", "aiff", "amr", "wv", "tta", "ape", "au", "hls",
        "h264", "hevc", "mpegvideo", "m4v", "obu", "ivf", "gif", "webvtt", "nut", "mxf", "rm",
        // These read one stream of bytes; "image2", which looks for files by a pattern, is not among them.
        "jpeg_pipe", "png_pipe", "webp_pipe", "bmp_pipe",
    ]

    /// Whether a demuxer's media are pictures. AVIF comes in the box of films.
    static func isPicture(_ demuxer: String, beginning bytes: [UInt8]) -> Bool {
        if demuxer == "mov" {
            return ["ftypavif", "ftypavis", "ftypmif1"].contains { bytes.dropFirst(4).starts(with: $0.utf8) }
        }
        return demuxer == "gif" || demuxer.hasSuffix("_pipe")
    }

    /// The demuxers for text that looks like a playlist; nil for anything else.
    static func playlist(beginning bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix(2048), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.hasPrefix("#EXTM3U") { return "hls" }
        guard text.hasPrefix("<"), text.contains("<MPD") else { return nil }
        return "dash"
    }

    /// The demuxer to use.
    ///
    /// - Parameters:
    ///   - probed: what the bytes look like to libavformat, its first name; nil where it has no idea.
    ///   - score: how sure that is, 0 to 100.
    ///   - contentTypes: media types that someone gave, the most trustworthy first.
    ///   - path: the URL's path.
    /// - Returns: nil where this is no media.
    static func demuxer(probed: String?, score: Int, contentTypes: [String], path: String) -> String? {
        let hint = contentTypes.lazy.compactMap { byContentType[mediaType($0)] }.first ?? byExtension(path)
        // Raw streams begin with a short pattern that other bytes show by chance.
        let isSure = probed.map { score > 25 && !$0.hasPrefix("amr") && $0 != "image2" } ?? false
        if !isSure, let hint, hint != probed { return hint }
        return probed.flatMap { allowed.contains($0) ? $0 : nil }
    }

    private static let byContentType = [
        "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/x-mp3": "mp3", "audio/aac": "aac", "audio/aacp": "aac",
        "image/jpeg": "jpeg_pipe", "image/png": "png_pipe", "image/webp": "webp_pipe", "image/gif": "gif",
        "audio/x-aac": "aac", "audio/ac3": "ac3", "audio/eac3": "eac3", "audio/vnd.dts": "dts", "video/mp2t": "mpegts",
    ]

    private static func byExtension(_ path: String) -> String? {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        switch path[path.index(after: dot)...].lowercased() {
        case "jpg", "jpeg": return "jpeg_pipe"
        case "png": return "png_pipe"
        case "webp": return "webp_pipe"
        case "gif": return "gif"
        case "mp3", "mp2", "mpga": return "mp3"
        case "aac", "adts": return "aac"
        case "ac3": return "ac3"
        case "eac3", "ec3": return "eac3"
        case "dts": return "dts"
        case "ts", "m2ts", "mts": return "mpegts"
        case "h264", "264": return "h264"
        case "hevc", "h265", "265": return "hevc"
        default: return nil
        }
    }

    private static func mediaType(_ header: String) -> String {
        String(header.prefix { $0 != ";" }).lowercased().filter { $0 != " " }
    }
}
