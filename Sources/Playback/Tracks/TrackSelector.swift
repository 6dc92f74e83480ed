internal import Casting

/// Which sound, text and picture of an item are played: the rules of AVPlayer's media selection as a value.
///
/// What somebody chose by hand holds until they ask for the automatic choice again. Everything else is chosen anew whenever
/// something changes that it depends on: so the subtitles follow the sound's language.
struct TrackSelector: Equatable, Sendable {
    /// Every option, in the order of the media; those beside the media last.
    private(set) var options: [TrackOption]
    /// What is preferred.
    let preferences: TrackPreferences
    /// What was asked for by hand; absent for the automatic choice.
    private(set) var manual: [MediaTrack.Kind: TrackSelection] = [:]

    /// The choice among options before anybody chose by hand.
    init(_ options: [TrackOption] = [], preferences: TrackPreferences = TrackPreferences()) {
        self.options = options
        self.preferences = preferences
    }

    // MARK: Changes

    /// Asks something of a group.
    ///
    /// - Throws: `invalidRequest` for an option that is not in the group; `operationNotSupported` for one that cannot be played,
    ///   and where none is to be played of a group that does not allow that.
    mutating func select(_ selection: TrackSelection, in kind: MediaTrack.Kind) throws(CastError) {
        switch selection {
        case .automatic:
            manual[kind] = nil
            return
        case .option(let id):
            guard let option = options(of: kind).first(where: { $0.option.id == id }) else {
                throw CastError(
                    .invalidRequest, "There is no such track in what is playing.",
                    hint: "“castsend tracks” shows those there are.", details: ["field": "option"])
            }
            guard option.option.playable else {
                throw CastError(.operationNotSupported, "“\(option.option.name)” cannot be played here.")
            }
        case .off, .nothing:
            guard allowsEmptySelection(of: kind) else {
                throw CastError(
                    .operationNotSupported, "There is always some sound.",
                    hint: "“castsend volume mute” switches it off.")
            }
        }
        manual[kind] = selection
    }

    /// Adds options that were found later, such as subtitles beside the media or captions within the pictures.
    mutating func add(_ more: [TrackOption]) {
        let known = Set(options.map(\.option.id))
        options += more.filter { !known.contains($0.option.id) }
    }

    /// Notes that an option cannot be played after all; another takes its place.
    mutating func exclude(_ id: String) {
        for index in options.indices where options[index].option.id == id { options[index].option.playable = false }
        for (kind, selection) in manual where selection == .option(id) { manual[kind] = nil }
    }

    /// What comes after what is played: the next option, or after the last one none where that may be, or the first.
    func next(of kind: MediaTrack.Kind) -> TrackSelection {
        let playable = options(of: kind).filter(\.option.playable)
        let selected = selected(kind)
        // Forced texts that show by themselves are as good as none.
        let isByItself = selected.map { $0.option.forced && manual[kind] != .option($0.option.id) } ?? true
        let place = isByItself ? nil : playable.firstIndex { $0.option.id == selected?.option.id }
        let next = place.map { $0 + 1 } ?? 0
        if next < playable.count { return .option(playable[next].option.id) }
        return allowsEmptySelection(of: kind) ? .off : playable.first.map { .option($0.option.id) } ?? .automatic
    }

    // MARK: What is true

    /// The options of a group.
    func options(of kind: MediaTrack.Kind) -> [TrackOption] { options.filter { $0.kind == kind } }

    /// Whether it may be that none of a group is played.
    func allowsEmptySelection(of kind: MediaTrack.Kind) -> Bool { kind == .legible }

    /// What is played of a group; nil for none.
    func selected(_ kind: MediaTrack.Kind) -> TrackOption? {
        let playable = options(of: kind).filter(\.option.playable)
        switch manual[kind] {
        case .option(let id)?: return playable.first { $0.option.id == id }
        case .nothing?: return nil
        case .off?: return forced(among: playable, preferred: [])
        case .automatic?, nil: break
        }
        return switch kind {
        case .audible: automaticSound(among: playable)
        case .legible: automaticText(among: playable)
        case .visual: playable.first(where: \.option.default) ?? playable.first
        }
    }

    /// The groups as people see them; pictures only where there are several.
    var groups: [MediaSelectionGroup] {
        [MediaTrack.Kind.audible, .legible, .visual].compactMap { kind in
            let options = options(of: kind)
            guard options.count >= (kind == .visual ? 2 : 1) else { return nil }
            return MediaSelectionGroup(
                characteristic: kind, allowsEmptySelection: allowsEmptySelection(of: kind),
                selected: selected(kind)?.option.id, automatic: manual[kind] == nil, options: options.map(\.option))
        }
    }
}
