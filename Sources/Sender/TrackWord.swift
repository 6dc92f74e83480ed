public import Casting

/// A track as people name it: `auto`, `off`, `none`, its number in the list, a language, its id or a part of its name.
public struct TrackWord: Hashable, Sendable {
    private let text: String

    /// A word for a track.
    public init(_ text: String) { self.text = text }

    /// What the word asks of a group.
    ///
    /// Of several tracks in a language the first plain one is meant.
    /// - Throws: `invalidRequest`, listing what there is.
    public func selection(in group: MediaSelectionGroup?) throws(CastError) -> TrackSelection {
        switch text.lowercased() {
        case "auto", "automatic": return .automatic
        case "off": return .off
        case "none": return .nothing
        default: break
        }
        let options = group?.options ?? []
        if let number = Int(text), options.indices.contains(number - 1) { return .option(options[number - 1].id) }
        let found =
            byLanguage(options) ?? options.first { $0.id == text }
            ?? options.first { $0.name.lowercased().contains(text.lowercased()) }
        guard let found else {
            let names = options.enumerated().map { "\($0 + 1) “\($1.name)”" }.joined(separator: ", ")
            throw CastError(
                .invalidRequest, "There is no track “\(text)”.",
                hint: options.isEmpty ? "There is none of that kind." : "There are \(names).")
        }
        return .option(found.id)
    }

    private func byLanguage(_ options: [MediaSelectionOption]) -> MediaSelectionOption? {
        guard let wanted = LanguageTag(text) else { return nil }
        let near = options.compactMap { option -> (option: MediaSelectionOption, rank: Int)? in
            guard let distance = option.language.flatMap(LanguageTag.init)?.distance(from: wanted) else { return nil }
            let isPlain = !option.forced && option.characteristics.contains(.mainProgramContent)
            return (option, distance + (isPlain ? 0 : 10) + (option.playable ? 0 : 20))
        }
        // The first of those that are equally near.
        guard let least = near.map(\.rank).min() else { return nil }
        return near.first { $0.rank == least }?.option
    }
}
