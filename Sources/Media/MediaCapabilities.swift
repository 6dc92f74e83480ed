/// What this build can play.
public enum MediaCapabilities {
    /// Names of containers, for example `mp4`.
    public static let containers: [String] = []
    /// Names of video codecs, for example `h264`.
    public static let videoCodecs: [String] = []
    /// Names of audio codecs, for example `aac`.
    public static let audioCodecs: [String] = []
}
