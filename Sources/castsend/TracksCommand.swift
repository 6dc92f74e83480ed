import Arguments
import Casting
import Sender

/// `castsend tracks`, `audio` and `subs`: what can be heard and read, and choosing among it.
struct TracksCommand {
    private let context: Context

    init(_ context: Context) { self.context = context }

    func list() async throws -> ExitCode {
        let found = try await context.find()
        let document = try await context.keeper.existing(with: found) { session throws(CastError) in
            try await session.tracks()
        }
        context.output.document(document)
        guard !document.groups.isEmpty else {
            context.output.say(document.itemID == nil ? "Nothing is playing." : "There is nothing to choose from.")
            return .done
        }
        for group in document.groups {
            context.output.say("\(Self.title(group.characteristic))\(group.automatic ? "" : " (chosen by hand)")")
            for (index, option) in group.options.enumerated() {
                context.output.say(Self.line(option, number: index + 1, isSelected: option.id == group.selected))
            }
        }
        return .done
    }

    func select(_ kind: MediaTrack.Kind) async throws -> ExitCode {
        let word = TrackWord(context.arguments.positional(0) ?? "")
        let found = try await context.find()
        return try await context.keeper.existing(with: found) { session throws(CastError) in
            let group = try await session.tracks().groups.first { $0.characteristic == kind }
            try await session.selectTrack(word.selection(in: group), of: kind)
            let document = try await session.tracks()
            context.output.document(document)
            let now = document.groups.first { $0.characteristic == kind }
            let name = now?.options.first { $0.id == now?.selected }?.name
            context.output.say("\(Self.title(kind)): \(name ?? "none").")
            return .done
        }
    }

    private static func title(_ kind: MediaTrack.Kind) -> String {
        switch kind {
        case .audible: "Sound"
        case .legible: "Subtitles"
        case .visual: "Picture"
        }
    }

    private static func line(_ option: MediaSelectionOption, number: Int, isSelected: Bool) -> String {
        var notes = option.language.map { [$0] } ?? []
        if option.forced { notes.append("forced") }
        if option.characteristics.contains(.auxiliaryContent) { notes.append("commentary") }
        if option.characteristics.contains(.describesVideo) { notes.append("audio description") }
        if option.characteristics.contains(.describesMusicAndSound) { notes.append("SDH") }
        if !option.playable { notes.append("cannot be played here") }
        let note = notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))"
        return "\(isSelected ? "*" : " ") \(number)  \(option.name)\(note)"
    }
}
