import CFFmpeg
public import Casting

/// One stream of opened media.
public struct MediaStream: Sendable {
    /// Its number within the media; packets carry it.
    public let index: Int
    /// What it carries.
    public let kind: MediaTrack.Kind
    /// The codec's name as FFmpeg gives it, for example `h264`.
    public let codec: String
    /// Its language as the media gives it, usually three letters.
    public let language: String?
    /// A name for people.
    public let title: String?
    /// Whether the media says it is to be played unless another is asked for.
    public let isDefault: Bool
    /// What it is for, by the media's word.
    public let roles: StreamRoles
    /// Whether libavformat takes it for the best of its kind.
    public let isBest: Bool
    /// Whether it holds one picture to go with the sound (cover art) rather than a film.
    public let isAttachedPicture: Bool
    /// Whether there is a decoder for it.
    public let isDecodable: Bool
    /// Whether it is encrypted with a key that only others have.
    public let isProtected: Bool
    /// Pictures a second, on average; nil for other kinds and where not known.
    public let frameRate: Double?
    /// Width and height to show it at, in square pixels, upright; nil for other kinds.
    public let presentationSize: Size?
    /// Samples a second of each channel; nil for other kinds.
    public let sampleRate: Int?
    /// Channels of sound; nil for other kinds.
    public let channelCount: Int?
    /// How loud its sound is by its own tags; nil where they do not say.
    public let loudness: LoudnessTag?
    /// Bits a second; nil where not known.
    public let bitRate: Int?
    /// How the pictures are turned and mirrored, by the container's word.
    let orientation: Orientation?
    /// Whether parts of its pictures are see-through, as WebM marks them.
    let hasAlpha: Bool
    /// The brightest light of its pictures in cd/m², by the container's word.
    let peakLuminance: Double?
    /// What decoders need to know.
    let parameters: CObject<UnsafeMutablePointer<AVCodecParameters>>
    /// The clock the packets' times are counted in.
    let timeBase: AVRational
    /// The shape of the pixels, by the container's word.
    let sampleAspectRatio: AVRational
    /// Where item time 0 is on the container's clock, in seconds.
    let itemStart: Double
    /// Where the stream's own first sample is on the container's clock, in seconds.
    let soundStart: Double
    /// What is not sound at its end.
    let padding: SoundPadding

    /// What it is to people who choose.
    public func track(selected: Bool) -> MediaTrack {
        MediaTrack(
            id: String(index), kind: kind, codec: codec, language: language, name: title, selected: selected)
    }

    /// A time of the container's clock as item time.
    func itemTime(_ time: Int64) -> Double? {
        guard time != CFF_NO_TIME else { return nil }
        return Double(time) * av_q2d(timeBase) - itemStart
    }
}
