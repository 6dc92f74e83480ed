internal import Casting
internal import Media

/// Which picture and which sound of an item are played.
struct TrackChoice: Equatable, Sendable {
    /// A stream, as far as the choice depends on it.
    struct Candidate: Equatable, Sendable {
        var index: Int
        var kind: MediaTrack.Kind
        var language: String?
        var isDefault = false
        var isAttachedPicture = false
        var isDecodable = true
    }

    /// The stream for the picture; nil for none. A picture that goes with a song is none.
    var video: Int?
    /// The stream for the sound; nil for none.
    var audio: Int?

    /// Chooses among streams by the languages people prefer, best first.
    ///
    /// - Throws: `decoderNotFound` where the only pictures, or without pictures the only sound, cannot be decoded;
    ///   `fileFailedToParse` where there is neither.
    init(_ streams: [Candidate], preferredLanguages: [String]) throws(CastError) {
        let visual = streams.filter { $0.kind == .visual && !$0.isAttachedPicture }
        let audible = streams.filter { $0.kind == .audible }
        video = visual.filter(\.isDecodable).max { !$0.isDefault && $1.isDefault }?.index
        let decodable = audible.filter(\.isDecodable)
        audio =
            preferredLanguages.lazy.compactMap { language in
                decodable.first { Self.matches($0.language, language) }
            }.first?.index ?? decodable.first(where: \.isDefault)?.index ?? decodable.first?.index
        if video == nil, !visual.isEmpty { throw Self.noDecoder(for: "picture") }
        if video == nil, audio == nil {
            if !audible.isEmpty { throw Self.noDecoder(for: "sound") }
            throw CastError(
                .fileFailedToParse, "There is neither picture nor sound in it.",
                hint: "Check that the address leads to a film or a song.")
        }
    }

    private static func noDecoder(for what: String) -> CastError {
        CastError(
            .decoderNotFound, "The \(what) is in a format that cannot be played here.",
            hint: "Convert it to H.264 and AAC.")
    }

    /// Whether a stream's language is the one asked for. Containers say `deu` or `ger`, people say `de` or `de-AT`.
    private static func matches(_ stream: String?, _ wanted: String) -> Bool {
        guard let stream = stream?.lowercased(), !stream.isEmpty else { return false }
        let wanted = wanted.lowercased().split(separator: "-").first.map(String.init) ?? ""
        let short = stream.split(separator: "-").first.map(String.init) ?? ""
        if short == wanted { return true }
        return threeLetterCodes[wanted]?.contains(short) ?? false
    }

    /// ISO 639-2 codes of ISO 639-1 languages, where they are not simply longer.
    private static let threeLetterCodes: [String: [String]] = [
        "ar": ["ara"], "bg": ["bul"], "ca": ["cat"], "cs": ["cze", "ces"], "da": ["dan"], "de": ["ger", "deu"],
        "el": ["gre", "ell"], "en": ["eng"], "es": ["spa"], "et": ["est"], "fa": ["per", "fas"], "fi": ["fin"],
        "fr": ["fre", "fra"], "he": ["heb"], "hi": ["hin"], "hr": ["hrv"], "hu": ["hun"], "id": ["ind"],
        "is": ["ice", "isl"], "it": ["ita"], "ja": ["jpn"], "ko": ["kor"], "lt": ["lit"], "lv": ["lav"],
        "nb": ["nob", "nor"], "nl": ["dut", "nld"], "no": ["nor", "nob"], "pl": ["pol"], "pt": ["por"],
        "ro": ["rum", "ron"], "ru": ["rus"], "sk": ["slo", "slk"], "sl": ["slv"], "sr": ["srp"], "sv": ["swe"],
        "th": ["tha"], "tr": ["tur"], "uk": ["ukr"], "vi": ["vie"], "zh": ["chi", "zho"],
    ]
}

extension TrackChoice.Candidate {
    /// A stream of opened media.
    init(_ stream: MediaStream) {
        self.init(
            index: stream.index, kind: stream.kind, language: stream.language, isDefault: stream.isDefault,
            isAttachedPicture: stream.isAttachedPicture, isDecodable: stream.isDecodable)
    }
}
