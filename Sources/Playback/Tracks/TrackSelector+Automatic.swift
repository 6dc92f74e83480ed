internal import Casting

/// What is chosen where nobody chose by hand.
extension TrackSelector {
    /// Sound: descriptions where they are wanted; else the first preferred language there is, else the original, else what
    /// the media has as default, else its first. Commentaries and descriptions only where there is nothing else.
    func automaticSound(among options: [TrackOption]) -> TrackOption? {
        let plain = options.filter { !$0.has(.describesVideo) && !$0.isManualOnly }
        let main = plain.filter { $0.has(.mainProgramContent) }
        let candidates = !main.isEmpty ? main : !plain.isEmpty ? plain : options
        let choice =
            best(of: candidates, in: preferences.languages)
            ?? candidates.first { $0.has(.originalContent) } ?? candidates.first(where: \.option.default)
            ?? candidates.first
        guard preferences.audioDescription else { return choice }
        // A description in a language that nobody asked for helps nobody.
        let descriptions = options.filter { $0.has(.describesVideo) && !$0.isManualOnly }
        return best(of: descriptions, in: preferences.languages)
            ?? descriptions.first { $0.language == choice?.language } ?? choice
    }

    /// Text: whole subtitles in a preferred language where captions say so, else the forced ones of the sound's language.
    ///
    /// Subtitles that the sender handed over were handed over to be read: unless captions are off they show as if the sound
    /// could not be understood.
    func automaticText(among options: [TrackOption]) -> TrackOption? {
        let whole = options.filter { !$0.option.forced && $0.has(.mainProgramContent) && !$0.isManualOnly }
        switch preferences.captions {
        case .off: return forced(among: options, preferred: [])
        case .forced: return forced(among: options, preferred: preferences.languages)
        case .always:
            return chosenBySender(among: whole) ?? text(among: whole, in: preferences.languages)
                ?? text(among: whole, in: [selected(.audible)?.language].compactMap(\.self)) ?? whole.first
        case .auto:
            if let choice = chosenBySender(among: whole) { return choice }
            if !soundIsUnderstood, let choice = text(among: whole, in: preferences.languages) { return choice }
            return forced(among: options, preferred: [])
        }
    }

    /// Whether what is heard is in a preferred language, or in one that nobody can tell, or nothing is heard at all.
    private var soundIsUnderstood: Bool {
        guard let language = selected(.audible)?.language else { return true }
        return preferences.languages.contains { language.distance(from: $0) != nil }
    }

    /// Forced subtitles: those in the language that is heard, else in one of `preferred`.
    func forced(among options: [TrackOption], preferred: [LanguageTag]) -> TrackOption? {
        let forced = options.filter { $0.option.forced && !$0.isManualOnly }
        guard let sound = selected(.audible) else { return best(of: forced, in: preferred) }
        if let language = sound.language {
            if let choice = best(of: forced, in: [language]) { return choice }
        } else if let choice = forced.first(where: { $0.language == nil }) {
            return choice
        }
        return best(of: forced, in: preferred)
    }

    private func chosenBySender(among whole: [TrackOption]) -> TrackOption? {
        let external = whole.filter { if case .external = $0.source { true } else { false } }
        return text(among: external, in: preferences.languages) ?? external.first { $0.language == nil }
            ?? (preferences.languages.isEmpty ? external.first : nil)
    }

    /// Of subtitles in the first of some languages that there is, those for the hard of hearing where wanted, else others.
    private func text(among options: [TrackOption], in languages: [LanguageTag]) -> TrackOption? {
        let wanted = options.filter { $0.isForHardOfHearing == preferences.sdh }
        for language in languages {
            if let choice = best(of: wanted, in: [language]) ?? best(of: options, in: [language]) { return choice }
        }
        return nil
    }

    /// The option nearest to the first of some languages that there is; among equals the default, then the first.
    private func best(of options: [TrackOption], in languages: [LanguageTag]) -> TrackOption? {
        for wanted in languages {
            let near = options.compactMap { option in
                option.language?.distance(from: wanted).map { (option: option, distance: $0) }
            }
            guard let least = near.map(\.distance).min() else { continue }
            let equal = near.filter { $0.distance == least }.map(\.option)
            return equal.first(where: \.option.default) ?? equal.first
        }
        return nil
    }
}
