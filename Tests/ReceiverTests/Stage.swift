import Casting
import Receiver
import TestSupport

/// A receiver on a player that keeps the books, and short ways to act on it.
struct Stage {
    let player = FakePlayer()
    let receiver: Receiver
    let lines = LogLines()

    static let capabilities = ReceiverInfo.Capabilities(
        protocols: ["http", "https"], containers: ["mp4"], videoCodecs: ["h264"], audioCodecs: ["aac"],
        screenSize: Size(width: 1280, height: 720), rates: TimeRange(start: 0.5, end: 2))
    static let anna = SenderIdentity(id: "anna-1", name: "Anna's phone")
    static let bert = SenderIdentity(id: "bert-1", name: "Bert's laptop")

    init(takeover: Takeover = .ifIdle, store: StateStore? = nil) {
        var settings = Receiver.Settings(
            id: "11111111-2222-3333-4444-555555555555", name: "TV", capabilities: Self.capabilities)
        settings.takeover = takeover
        receiver = Receiver(playback: player, settings: settings, store: store, log: lines.log)
    }

    func open(_ sender: SenderIdentity = anna, _ takeover: Takeover? = nil) async throws -> SessionGrant {
        try await receiver.open(SessionRequest(sender: sender, takeover: takeover))
    }

    /// Opens a session in which something plays.
    func playing(_ sender: SenderIdentity = anna) async throws -> SessionGrant {
        let grant = try await open(sender)
        try await receiver.perform(.load(MediaItem(url: "http://host/film.mp4", title: "Film")), session: grant.id)
        return grant
    }
}

extension EventFeed.Element {
    var id: Int? {
        guard case .event(let id, _) = self else { return nil }
        return id
    }

    var event: Event? {
        guard case .event(_, let event) = self else { return nil }
        return event
    }
}
