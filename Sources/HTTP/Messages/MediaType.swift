/// MIME types by file extension, of the kinds of file a receiver can use.
public enum MediaType {
    /// The type by which a file is served; "application/octet-stream" for an extension that is not known.
    public static func ofFile(at path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        return types[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    /// The type of a file of which nothing is known.
    public static let unknown = "application/octet-stream"

    private static let types: [String: String] = [
        // video
        "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "mkv": "video/x-matroska",
        "webm": "video/webm", "avi": "video/x-msvideo", "ts": "video/mp2t", "m2ts": "video/mp2t", "mts": "video/mp2t",
        "mpg": "video/mpeg", "mpeg": "video/mpeg", "vob": "video/mpeg", "flv": "video/x-flv", "ogv": "video/ogg",
        "wmv": "video/x-ms-wmv", "asf": "video/x-ms-asf", "3gp": "video/3gpp", "3g2": "video/3gpp2",
        // sound
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "m4b": "audio/mp4", "aac": "audio/aac", "flac": "audio/flac",
        "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav", "mka": "audio/x-matroska",
        "wma": "audio/x-ms-wma", "ac3": "audio/ac3", "eac3": "audio/eac3", "dts": "audio/vnd.dts",
        "aif": "audio/aiff", "aiff": "audio/aiff", "weba": "audio/webm",
        // subtitles
        "srt": "application/x-subrip", "vtt": "text/vtt", "ass": "text/x-ssa", "ssa": "text/x-ssa",
        "ttml": "application/ttml+xml", "sub": "text/plain",
        // playlists
        "m3u8": "application/vnd.apple.mpegurl", "m3u": "audio/x-mpegurl", "mpd": "application/dash+xml",
        "pls": "audio/x-scpls", "m4s": "video/iso.segment", "cmfv": "video/mp4", "cmfa": "audio/mp4",
        // pictures and pages
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "bmp": "image/bmp",
        "svg": "image/svg+xml", "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "json": "application/json", "txt": "text/plain; charset=utf-8",
    ]
}
