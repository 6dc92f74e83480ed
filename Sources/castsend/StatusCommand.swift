import Casting
import Sender

/// `castsend status`: what plays where, or who holds the receiver.
struct StatusCommand {
    private let context: Context

    init(_ context: Context) { self.context = context }

    func run() async throws -> ExitCode {
        let found = try await context.find()
        let state = try await playback(found)
        context.output.document(StatusDocument(receiver: found.info, endpoint: found.client.endpoint, playback: state))
        context.output.say(
            "\(found.info.name)  (\(found.info.model) \(found.info.version), \(found.client.endpoint.text))")
        if let state {
            say(state)
        } else if let sender = found.info.currentSender {
            context.output.say("\(found.info.availability.rawValue), held by \(sender)")
        } else {
            context.output.say("idle, held by nobody")
        }
        return .done
    }

    /// What this machine has cast there; nil where that is nothing.
    private func playback(_ found: FoundReceiver) async throws(CastError) -> PlaybackState? {
        do {
            return try await context.keeper.existing(with: found) { session throws(CastError) in
                try await session.playback()
            }
        } catch {
            guard error.code == .sessionEnded else { throw error }
            return nil
        }
    }

    private func say(_ state: PlaybackState) {
        let output = context.output
        if let item = state.item {
            output.say([item.title, item.artist].compactMap { $0 }.joined(separator: " – ").nonEmpty ?? "(no title)")
        }
        // The document is as old as the way it came: no estimate is needed.
        let view = ProgressView(state, position: state.timeline.position)
        output.say(state.item == nil ? view.word : ProgressLine.plain(view))
        if let range = state.item?.dynamicRange, range.media != range.shown {
            output.say("\(range.media.rawValue.uppercased()) picture, shown in \(range.shown.rawValue.uppercased())")
        }
        output.say("volume \(decimal(state.volume * 100)) %\(state.muted ? ", muted" : "")")
        if state.queue.count > 1 { output.say("\(state.queue.count) items in the queue") }
        switch state.options?.loop {
        case .one: output.say("played again and again")
        case .all: output.say("the queue is played again and again")
        case .some(.none), nil: break
        }
        if let notice = state.item?.notice { output.say(notice.description) }
        if let error = state.item?.error { output.say(error.description) }
    }
}

private struct StatusDocument: Encodable {
    var receiver: ReceiverInfo
    var endpoint: Endpoint
    /// Nil (and null) where this machine has no session there.
    var playback: PlaybackState?

    enum CodingKeys: CodingKey { case receiver, endpoint, playback }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(receiver, forKey: .receiver)
        try container.encode(endpoint, forKey: .endpoint)
        try container.encode(playback, forKey: .playback)
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
