import Arguments
import Casting
import Sender

/// `castsend subs`: which subtitles show, when and how.
struct SubsCommand {
    private let context: Context
    private var arguments: ParsedArguments { context.arguments }

    init(_ context: Context) { self.context = context }

    func run() async throws -> ExitCode {
        let change = try change()
        guard !change.isEmpty else {
            if arguments.positional(0) == nil {
                throw UsageError(
                    "castsend subs wants to know what to change.",
                    hint: "Give a track of “castsend tracks”, or --delay, --size, --color or --position.")
            }
            return try await TracksCommand(context).select(.legible)
        }
        if arguments.positional(0) != nil {
            let code = try await TracksCommand(context).select(.legible)
            guard code == .done else { return code }
        }
        let found = try await context.find()
        return try await context.keeper.existing(with: found) { session throws(CastError) in
            try await session.setSubtitles(change)
            let state = try await session.playback()
            context.output.document(state)
            if let settings = state.subtitles { context.output.say(Self.sentence(settings)) }
            return .done
        }
    }

    private func change() throws(UsageError) -> SubtitleChange {
        do throws(SubtitleChange.Nonsense) {
            return try SubtitleChange(
                delay: arguments.value("delay"), size: arguments.value("size"), color: arguments.value("color"),
                position: arguments.value("position"))
        } catch {
            throw UsageError("“\(error.word)” makes no sense there.", hint: error.hint)
        }
    }

    private static func sentence(_ settings: SubtitleSettings) -> String {
        let delay =
            settings.delay == 0
            ? "in time" : "\(decimal(abs(settings.delay))) s \(settings.delay > 0 ? "later" : "earlier")"
        let place = settings.position == 0 ? "at the bottom" : "\(decimal(settings.position)) % up"
        return "Subtitles: \(delay), \(decimal(settings.size * 100)) % of the usual size, \(settings.color), \(place)."
    }
}
