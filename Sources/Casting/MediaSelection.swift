/// What an option of a group is like, after AVMediaCharacteristic; the same words.
public enum MediaCharacteristic: String, Codable, CaseIterable, Sendable {
    /// What the makers meant to be heard or read first.
    case mainProgramContent = "public.main-program-content"
    /// Beside the work itself, such as a commentary.
    case auxiliaryContent = "public.auxiliary-content"
    /// In the language the work was made in.
    case originalContent = "public.original-content"
    /// Another language spoken over or instead of the original one.
    case dubbedTranslation = "public.translation.dubbed"
    /// Text for what is said in a foreign language only.
    case forcedSubtitlesOnly = "public.subtitles.forced-only"
    /// Text for everything that is said.
    case transcribesSpokenDialog = "public.accessibility.transcribes-spoken-dialog"
    /// Text for sounds and music too.
    case describesMusicAndSound = "public.accessibility.describes-music-and-sound"
    /// Sound that tells what is to be seen.
    case describesVideo = "public.accessibility.describes-video"
    /// Text in simple words.
    case easyToRead = "public.easy-to-read"
    /// Speech made clearer.
    case enhancesSpeechIntelligibility = "public.accessibility.enhances-speech-intelligibility"
}

/// One of the things that can be heard, read or seen, after AVMediaSelectionOption.
public struct MediaSelectionOption: Codable, Hashable, Sendable, Identifiable {
    /// Names the option within its item.
    public var id: String
    /// A name for people; always there.
    public var name: String
    /// Its language, a BCP 47 tag; nil where the media does not say.
    public var language: String?
    /// What it is like, in the order of `MediaCharacteristic`.
    public var characteristics: [MediaCharacteristic]
    /// Whether this receiver can play it.
    public var playable: Bool
    /// Whether the media says it is to be played where nobody asks for another.
    public var `default`: Bool
    /// Whether it is text for what is said in a foreign language only.
    public var forced: Bool

    /// An option.
    public init(
        id: String, name: String, language: String? = nil, characteristics: [MediaCharacteristic] = [],
        playable: Bool = true, default isDefault: Bool = false, forced: Bool = false
    ) {
        self.id = id
        self.name = name
        self.language = language
        self.characteristics = characteristics
        self.playable = playable
        self.default = isDefault
        self.forced = forced
    }
}

/// Options of which at most one is played, after AVMediaSelectionGroup.
public struct MediaSelectionGroup: Codable, Hashable, Sendable {
    /// What the options carry; one group for each.
    public var characteristic: MediaTrack.Kind
    /// Whether it may be that none is played.
    public var allowsEmptySelection: Bool
    /// The id of the one that is played; nil for none. Always present on the wire, null for nil.
    public var selected: String?
    /// Whether the receiver chose, by languages and preferences; false once somebody did by hand.
    public var automatic: Bool
    /// The options, in the order of the media.
    public var options: [MediaSelectionOption]

    /// A group of options.
    public init(
        characteristic: MediaTrack.Kind, allowsEmptySelection: Bool, selected: String?, automatic: Bool,
        options: [MediaSelectionOption]
    ) {
        self.characteristic = characteristic
        self.allowsEmptySelection = allowsEmptySelection
        self.selected = selected
        self.automatic = automatic
        self.options = options
    }

    /// Writes every field, `selected` even where it is nil.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(characteristic, forKey: .characteristic)
        try container.encode(allowsEmptySelection, forKey: .allowsEmptySelection)
        try container.encode(selected, forKey: .selected)
        try container.encode(automatic, forKey: .automatic)
        try container.encode(options, forKey: .options)
    }
}

/// What is asked of a group.
public enum TrackSelection: Hashable, Sendable {
    /// The receiver chooses, and goes on choosing.
    case automatic
    /// This option, until something else is asked for.
    case option(String)
    /// None; of texts those still show that belong to what is heard (forced ones).
    case off
    /// None whatever.
    case nothing
}

/// When subtitles show by themselves.
public enum CaptionsPreference: String, Codable, CaseIterable, Sendable {
    /// Never, but for forced ones in the language that is heard.
    case off
    /// Forced ones only: in the language that is heard, else in one that is preferred.
    case forced
    /// Whole ones where what is heard is in no preferred language, else as `off`.
    case auto
    /// Always whole ones.
    case always
}

/// The answer of `GET …/tracks`, and the data of a `selectionChanged` event.
public struct TracksDocument: Codable, Hashable, Sendable {
    /// The item whose tracks they are; nil when idle.
    public var itemID: String?
    /// The groups: audible, legible, and visual where there are several pictures; those without options are left out.
    public var groups: [MediaSelectionGroup]

    /// The groups of an item.
    public init(itemID: String?, groups: [MediaSelectionGroup]) {
        self.itemID = itemID
        self.groups = groups
    }
}

/// The body of `PUT …/tracks/{characteristic}`.
public struct TrackSelectionRequest: Codable, Hashable, Sendable {
    /// The id of an option, `automatic`, `none` (none whatever), or nil (none but forced texts).
    public var option: String?

    /// What is asked for.
    public init(option: String?) { self.option = option }

    /// The body that asks for `selection`.
    public init(_ selection: TrackSelection) {
        switch selection {
        case .automatic: option = "automatic"
        case .option(let id): option = id
        case .off: option = nil
        case .nothing: option = "none"
        }
    }

    /// Reads a body that says something: nothing must be null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.contains(.option) else {
            throw DecodingError.keyNotFound(
                CodingKeys.option, .init(codingPath: decoder.codingPath, debugDescription: "missing"))
        }
        option = try container.decodeIfPresent(String.self, forKey: .option)
    }

    /// Writes null for nil.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(option, forKey: .option)
    }

    private enum CodingKeys: CodingKey { case option }

    /// What it asks for.
    public var selection: TrackSelection {
        switch option {
        case nil: .off
        case "automatic": .automatic
        case "none": .nothing
        case let id?: .option(id)
        }
    }
}
