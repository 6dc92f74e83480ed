internal import Casting
internal import Media

/// An option of a group with where it comes from.
struct TrackOption: Equatable, Sendable {
    /// Where what it plays is.
    enum Source: Hashable, Sendable {
        /// A stream of the media, by its number.
        case stream(Int)
        /// Subtitles beside the media, by their place in `MediaItem.subtitles`.
        case external(Int)
        /// Captions within the pictures of a stream, by their channel: 1 to 4 as in CEA-608.
        case captions(stream: Int, channel: Int)
    }

    /// What it is to people who choose.
    var option: MediaSelectionOption
    /// Which group it is in.
    var kind: MediaTrack.Kind
    /// Where what it plays is.
    var source: Source
    /// Whether it is never chosen but by hand.
    var isManualOnly = false

    /// Its language; nil where the media does not say.
    var language: LanguageTag? { option.language.flatMap(LanguageTag.init) }

    /// Whether it is of a certain kind.
    func has(_ characteristic: MediaCharacteristic) -> Bool { option.characteristics.contains(characteristic) }

    /// Whether it transcribes sounds as well as speech.
    var isForHardOfHearing: Bool { has(.transcribesSpokenDialog) && has(.describesMusicAndSound) }

    /// The number of its stream; nil where it is none of the media.
    var stream: Int? { if case .stream(let index) = source { index } else { nil } }
}

extension TrackOption {
    /// What is known of an option before it has a name.
    struct Description {
        var kind: MediaTrack.Kind
        /// As the container or the sender gives it.
        var language: String?
        /// As the container or the sender gives it.
        var title: String?
        var roles: StreamRoles = []
        var channelCount: Int?
        var isPlayable = true
    }

    /// An option by what is known of it.
    /// - Parameter number: its place within its group, from 1, for a name where there is no other.
    init(id: String, source: Source, number: Int, _ description: Description) {
        let hints = TrackNameHints(description.title)
        let language = description.language.flatMap(LanguageTag.init) ?? hints.language
        let characteristics = Self.characteristics(of: description, hints)
        self.kind = description.kind
        self.source = source
        option = MediaSelectionOption(
            id: id, name: "", language: language?.text, characteristics: characteristics,
            playable: description.isPlayable, default: description.roles.contains(.default),
            forced: characteristics.contains(.forcedSubtitlesOnly))
        option.name = Self.name(description, language, characteristics, number: number)
    }

    private static func characteristics(
        of description: Description, _ hints: TrackNameHints
    ) -> [MediaCharacteristic] {
        let roles = description.roles.union(hints.roles)
        var found: Set<MediaCharacteristic> = []
        let isAuxiliary = !roles.isDisjoint(with: [.commentary, .withoutVoices])
        found.insert(isAuxiliary ? .auxiliaryContent : .mainProgramContent)
        if roles.contains(.original) { found.insert(.originalContent) }
        if roles.contains(.dub) { found.insert(.dubbedTranslation) }
        switch description.kind {
        case .legible:
            if roles.contains(.forced) {
                found.insert(.forcedSubtitlesOnly)
            } else if !roles.isDisjoint(with: [.hearingImpaired, .captions]) {
                found.formUnion([.transcribesSpokenDialog, .describesMusicAndSound])
            }
            if hints.isEasyToRead { found.insert(.easyToRead) }
        case .audible:
            if !roles.isDisjoint(with: [.visualImpaired, .descriptions]) { found.insert(.describesVideo) }
            if roles.contains(.hearingImpaired) { found.insert(.enhancesSpeechIntelligibility) }
        case .visual: break
        }
        return MediaCharacteristic.allCases.filter(found.contains)
    }

    private static func name(
        _ description: Description, _ language: LanguageTag?, _ characteristics: [MediaCharacteristic], number: Int
    ) -> String {
        if let title = description.title, !title.isEmpty { return title }
        let kind =
            switch description.kind {
            case .audible: "Sound"
            case .legible: "Subtitles"
            case .visual: "Picture"
            }
        var particulars: [String] = []
        if characteristics.contains(.auxiliaryContent) { particulars.append("commentary") }
        if characteristics.contains(.describesVideo) { particulars.append("audio description") }
        if characteristics.contains(.forcedSubtitlesOnly) { particulars.append("forced") }
        if characteristics.contains(.describesMusicAndSound) { particulars.append("SDH") }
        if characteristics.contains(.easyToRead) { particulars.append("easy to read") }
        switch description.channelCount {
        case 6?: particulars.append("5.1")
        case 8?: particulars.append("7.1")
        default: break
        }
        let name = language?.name ?? "\(kind) \(number)"
        return particulars.isEmpty ? name : "\(name), \(particulars.joined(separator: ", "))"
    }
}

extension TrackOption {
    /// The options of opened media, in its own order. Pictures are options only where there are several.
    static func options(of streams: [MediaStream]) -> [TrackOption] {
        var numbers: [MediaTrack.Kind: Int] = [:]
        return streams.filter { !$0.isAttachedPicture && !$0.roles.contains(.stillPictures) }.map { stream in
            numbers[stream.kind, default: 0] += 1
            var option = TrackOption(
                id: String(stream.index), source: .stream(stream.index), number: numbers[stream.kind] ?? 1,
                Description(
                    kind: stream.kind, language: stream.language, title: stream.title, roles: stream.roles,
                    channelCount: stream.channelCount, isPlayable: stream.isDecodable && !stream.isProtected))
            // An empty track is marked as default as well.
            if stream.kind == .visual { option.option.default = stream.isBest }
            return option
        }
    }
}
