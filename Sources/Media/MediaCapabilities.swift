import CFFmpeg

/// What this build can play: what castway means to play, as far as this FFmpeg has it.
public enum MediaCapabilities {
    /// FFmpeg's version as it tells it itself.
    public static var libraryVersion: String { String(cString: av_version_info()) }

    /// Names of containers by which people know them, for example `mp4`.
    public static let containers = wantedContainers.filter { has(demuxer: $0.demuxer) }.map(\.name)

    /// Names of video codecs as FFmpeg has them, for example `h264`.
    public static let videoCodecs = [
        "h264", "hevc", "vp8", "vp9", "av1", "mpeg1video", "mpeg2video", "mpeg4", "theora", "vc1", "mjpeg",
    ].filter(has(decoder:))

    /// Names of audio codecs as FFmpeg has them, for example `aac`.
    public static let audioCodecs = [
        "aac", "mp3", "mp2", "opus", "vorbis", "flac", "alac", "ac3", "eac3", "dts", "truehd", "pcm_s16le", "pcm_s24le",
        "pcm_f32le",
    ].filter(has(decoder:))

    private static let wantedContainers: [(name: String, demuxer: String)] = [
        ("mp4", "mov"), ("m4a", "mov"), ("mov", "mov"), ("mkv", "matroska"), ("webm", "matroska"), ("ts", "mpegts"),
        ("mpeg", "mpeg"), ("flv", "flv"), ("avi", "avi"), ("ogg", "ogg"), ("mp3", "mp3"), ("aac", "aac"),
        ("flac", "flac"), ("wav", "wav"), ("hls", "hls"), ("dash", "hls"),
    ]

    private static func has(demuxer name: String) -> Bool {
        FormatChoice.allowed.contains(name) && av_find_input_format(name) != nil
    }

    private static func has(decoder name: String) -> Bool {
        guard let description = avcodec_descriptor_get_by_name(name) else { return false }
        return avcodec_find_decoder(description.pointee.id) != nil
    }
}
