import Arguments
import Casting
import Sender

/// The commands that change what is playing: each says where that led.
struct SteeringCommand {
    private let context: Context
    private var output: Output { context.output }

    init(_ context: Context) { self.context = context }

    func run(_ command: String) async throws -> ExitCode {
        if command == "disconnect" { return try await disconnect(try await context.find()) }
        // A word that makes no sense is refused before anything is looked for.
        let action = try action(command)
        let found = try await context.find()
        return try await context.keeper.existing(with: found) { session throws(CastError) in
            let sentence = try await action(session)
            let state = try await session.playback()
            output.document(state)
            output.say(sentence(state))
            return .done
        }
    }

    /// Says what a state has come to.
    private typealias Sentence = @Sendable (PlaybackState) -> String
    private typealias Action = (SessionClient) async throws(CastError) -> Sentence

    private func action(_ command: String) throws(UsageError) -> Action {
        let word = context.arguments.positional(0) ?? ""
        switch command {
        case "pause":
            return { session throws(CastError) in
                try await session.pause()
                return { "Paused at \(PlaybackTime.text($0.timeline.position))." }
            }
        case "resume":
            let isNow = context.arguments.has("now")
            return { session throws(CastError) in
                if isNow { try await session.playImmediately() } else { try await session.play() }
                return { "Goes on at \(PlaybackTime.text($0.timeline.position))." }
            }
        case "stop":
            return { session throws(CastError) in
                try await session.stop()
                return { _ in "Stopped." }
            }
        case "next":
            return { session throws(CastError) in
                try await session.next()
                return nowPlaying
            }
        case "previous":
            return { session throws(CastError) in
                try await session.previous()
                return nowPlaying
            }
        case "seek": return try seek(word)
        case "chapter": return try chapter(word)
        case "step": return try step(word)
        case "rate": return try rate(word)
        case "volume": return try volume(word)
        case "picture": return try picture(word)
        default: throw UsageError("There is no command “\(command)”.")
        }
    }

    private func seek(_ word: String) throws(UsageError) -> Action {
        guard let target = SeekTarget(word) else {
            throw UsageError(
                "“\(word)” is no time.", hint: "Write 90, 1:30 or 1:02:03.5, or +10 and -30 for seconds on and back.")
        }
        return { session throws(CastError) in
            let outcome =
                switch target {
                case .position(let position): try await session.seek(SeekRequest(position: position))
                case .offset(let seconds): try await session.skip(by: seconds)
                }
            guard outcome.finished else { throw Self.error(outcome) }
            // The picture's own time may lie a few milliseconds beside the one that was asked for.
            return { _ in "At \(PlaybackTime.exactText((outcome.position * 10).rounded() / 10))." }
        }
    }

    private func step(_ word: String) throws(UsageError) -> Action {
        guard let pictures = word.isEmpty ? 1 : Int(word), pictures != 0, abs(pictures) <= 100 else {
            throw UsageError("“\(word)” is no number of pictures.", hint: "It is 1 to 100, or -1 to -100 to go back.")
        }
        return { session throws(CastError) in
            let outcome = try await session.step(by: pictures)
            guard outcome.finished else { throw Self.error(outcome) }
            return { _ in "Paused at \(PlaybackTime.exactText((outcome.position * 1000).rounded() / 1000))." }
        }
    }

    private func chapter(_ word: String) throws(UsageError) -> Action {
        let number = Int(word)
        guard ["next", "previous"].contains(word) || number ?? 0 > 0 else {
            throw UsageError("“\(word)” is no chapter.", hint: "Write next, previous or a number.")
        }
        return { session throws(CastError) in
            let outcome: SeekOutcome
            if let number {
                let chapters = try await session.playback().item?.chapters ?? []
                guard chapters.indices.contains(number - 1) else {
                    throw CastError(
                        .invalidRequest, "There is no chapter \(number).",
                        hint: chapters.isEmpty ? "What is playing has none." : "There are \(chapters.count).")
                }
                outcome = try await session.seek(SeekRequest(position: chapters[number - 1].start))
            } else {
                outcome = try await session.goToChapter(forward: word == "next")
            }
            guard outcome.finished else { throw Self.error(outcome) }
            return { state in
                let chapters = state.item?.chapters ?? []
                let index = chapters.lastIndex { $0.start <= outcome.position + 0.05 }
                let title = index.flatMap { chapters[$0].title }.map { " “\($0)”" } ?? ""
                return "Chapter \((index ?? 0) + 1)\(title), at \(PlaybackTime.text(outcome.position))."
            }
        }
    }

    private static func error(_ outcome: SeekOutcome) -> CastError {
        switch outcome.reason {
        case .superseded:
            CastError(.operationCancelled, "Another seek took the place of this one.")
        case .outOfRange:
            CastError(
                .operationNotSupported, "That place cannot be reached.",
                hint: outcome.seekableTimeRanges?.first.map {
                    "One can go from \(PlaybackTime.text($0.start)) to \(PlaybackTime.text($0.end))."
                })
        case .cancelled, nil:
            CastError(.operationCancelled, "The item ended or was replaced before the place was reached.")
        }
    }

    private func rate(_ word: String) throws(UsageError) -> Action {
        guard let rate = Double(word), PlaybackState.rates.contains(rate) else {
            throw UsageError("“\(word)” is no rate.", hint: "It is a number from 0.5 to 2; 1 is normal.")
        }
        // The default rate: a paused film stays paused.
        return { session throws(CastError) in
            try await session.setRate(RateRequest(defaultRate: rate))
            return { state in
                let rate = state.defaultRate
                return rate == 1 ? "Plays at the normal speed." : "Plays at \(decimal(rate)) times the normal speed."
            }
        }
    }

    private func volume(_ word: String) throws(UsageError) -> Action {
        guard let request = VolumeRequest(word: word) else {
            throw UsageError("“\(word)” is no volume.", hint: "It is 0 to 100, +5, -5, mute or unmute.")
        }
        return { session throws(CastError) in
            try await session.setVolume(request)
            return { "Volume \(decimal($0.volume * 100)) %\($0.muted ? ", muted" : "")." }
        }
    }

    private func picture(_ word: String) throws(UsageError) -> Action {
        guard let gravity = Self.gravities[word] else {
            throw UsageError(
                "A picture cannot be laid on the screen as “\(word)”.", hint: "Write fit, fill or stretch.")
        }
        return { session throws(CastError) in
            try await session.setOptions(PlaybackOptions(videoGravity: gravity))
            return { state in
                switch state.options?.videoGravity ?? gravity {
                case .resizeAspect: "All of the picture shows."
                case .resizeAspectFill: "The picture fills the screen."
                case .resize: "The picture is stretched to the screen."
                }
            }
        }
    }

    private static let gravities: [String: VideoGravity] = [
        "fit": .resizeAspect, "fill": .resizeAspectFill, "stretch": .resize,
    ]

    private func disconnect(_ found: FoundReceiver) async throws(CastError) -> ExitCode {
        let end = try await context.keeper.existing(with: found) { session throws(CastError) in
            try await session.disconnect()
        }
        context.keeper.forgetSession(with: found)
        output.document(end)
        let place = end.position.map { " It was at \(PlaybackTime.exactText($0))." } ?? ""
        output.say("Disconnected from “\(found.info.name)”.\(end.item == nil ? "" : place)")
        return .done
    }
}

/// What is current now.
private let nowPlaying: @Sendable (PlaybackState) -> String = { state in
    guard let item = state.item else { return "That was the last item." }
    if let title = item.title { return "Now: “\(title)”." }
    // By its number `castsend queue list` tells which it is.
    guard let index = state.queue.firstIndex(of: item.id) else { return "Now: an item without a title." }
    return "Now: item \(index + 1) of \(state.queue.count)."
}
