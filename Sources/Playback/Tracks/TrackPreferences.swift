public import Casting

/// What people wish of sound and subtitles before they choose by hand.
public struct TrackPreferences: Hashable, Sendable {
    /// Languages for sound and subtitles, best first; empty to go by what the media says.
    public var languages: [LanguageTag] = []
    /// When subtitles show by themselves.
    public var captions = CaptionsPreference.auto
    /// Whether subtitles that transcribe sounds as well are to be chosen before plain ones.
    public var sdh = false
    /// Whether sound that tells what is to be seen is to be chosen.
    public var audioDescription = false

    /// Nothing is preferred.
    public init() {}

    /// The preferences for an item, whose own languages beat the general ones.
    func beaten(by item: MediaItem) -> TrackPreferences {
        let own = (item.preferredLanguages ?? []).compactMap(LanguageTag.init)
        guard !own.isEmpty else { return self }
        var preferences = self
        preferences.languages = own
        return preferences
    }
}
