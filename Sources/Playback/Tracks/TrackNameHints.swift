internal import Casting
internal import Media

/// What a track's name says of it, where its flags say nothing: most files are made without flags.
struct TrackNameHints: Equatable {
    /// What it is for.
    var roles: StreamRoles = []
    /// Whether it is in simple words.
    var isEasyToRead = false
    /// The language, where the name is a language's name.
    var language: LanguageTag?

    /// The hints in a name; none in no name.
    init(_ name: String?) {
        guard let name = name?.lowercased(), !name.isEmpty else { return }
        let words = Set(name.split { !$0.isLetter && !$0.isNumber }.map(String.init))
        for (role, hints) in Self.hints {
            let isMeant = hints.contains { hint in hint.contains(" ") ? name.contains(hint) : words.contains(hint) }
            if isMeant { roles.insert(role) }
        }
        isEasyToRead = ["easy reader", "easy to read", "easy read", "leichte sprache"].contains { name.contains($0) }
        // Two letters are too often something else.
        language = words.sorted().lazy.filter { $0.count > 3 }.compactMap(LanguageTag.init).first
    }

    private static let hints: [(StreamRoles, [String])] = [
        (
            .commentary,
            ["commentary", "commentaries", "comments", "kommentar", "audiokommentar", "commentaire", "comentario"]
        ),
        (
            .forced,
            [
                "forced", "erzwungen", "forcé", "forcés", "forzados", "forzado", "foreign parts", "signs songs",
                "signs & songs",
            ]
        ),
        (
            .hearingImpaired,
            [
                "sdh", "cc", "hoh", "closed captions", "hearing impaired", "hard of hearing", "hörgeschädigte",
                "malentendants", "sourds",
            ]
        ),
        (
            .descriptions,
            [
                "audio description", "audiodescription", "audiodeskription", "descriptive", "described video",
                "hörfilm", "audiodescripción", "dvs",
            ]
        ),
    ]
}
