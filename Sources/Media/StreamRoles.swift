import CFFmpeg

/// What a stream is for, by the container's word.
public struct StreamRoles: OptionSet, Sendable {
    /// The roles as bits.
    public let rawValue: Int

    /// Roles by their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// To be played unless another is asked for.
    public static let `default` = StreamRoles(rawValue: 1 << 0)
    /// In the language the work was made in.
    public static let original = StreamRoles(rawValue: 1 << 1)
    /// Dubbed.
    public static let dub = StreamRoles(rawValue: 1 << 2)
    /// A commentary.
    public static let commentary = StreamRoles(rawValue: 1 << 3)
    /// Text to be shown to everybody.
    public static let forced = StreamRoles(rawValue: 1 << 4)
    /// For those who hear badly.
    public static let hearingImpaired = StreamRoles(rawValue: 1 << 5)
    /// For those who see badly.
    public static let visualImpaired = StreamRoles(rawValue: 1 << 6)
    /// Text that transcribes what is heard.
    public static let captions = StreamRoles(rawValue: 1 << 7)
    /// Sound that makes up for what is seen.
    public static let descriptions = StreamRoles(rawValue: 1 << 8)
    /// Sound without voices or with music only.
    public static let withoutVoices = StreamRoles(rawValue: 1 << 9)
    /// Pictures that are no film: a still one, or a row of small ones to find places by.
    public static let stillPictures = StreamRoles(rawValue: 1 << 10)

    init(disposition: Int32) {
        self = []
        for (flags, role) in Self.table where disposition & flags != 0 { insert(role) }
    }

    private static let table: [(Int32, StreamRoles)] = [
        (AV_DISPOSITION_DEFAULT, .default), (AV_DISPOSITION_ORIGINAL, .original), (AV_DISPOSITION_DUB, .dub),
        (AV_DISPOSITION_COMMENT, .commentary), (AV_DISPOSITION_FORCED, .forced),
        (AV_DISPOSITION_HEARING_IMPAIRED, .hearingImpaired), (AV_DISPOSITION_VISUAL_IMPAIRED, .visualImpaired),
        (AV_DISPOSITION_CAPTIONS, .captions), (AV_DISPOSITION_DESCRIPTIONS, .descriptions),
        (AV_DISPOSITION_CLEAN_EFFECTS | AV_DISPOSITION_KARAOKE, .withoutVoices),
        (AV_DISPOSITION_STILL_IMAGE | AV_DISPOSITION_TIMED_THUMBNAILS, .stillPictures),
    ]
}
