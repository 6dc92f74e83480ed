import Casting
import FoundationEssentials
import Testing

@Suite struct EventWireTests {
    static let events: [Event] = [
        .state(PlaybackState()),
        .progress(Timeline(position: 1.5, hostTime: HostTime(seconds: 20.25), effectiveRate: 1)),
        .stalled(itemID: "a"),
        .ended(itemID: "a"),
        .failed(itemID: "a", error: CastError(.timedOut, "The server took too long.", hint: "Try again.")),
        .failedToEnd(itemID: "a", error: CastError(.noLongerPlayable, "It is gone.")),
        .notice(itemID: "a", error: CastError(.notFound, "There are no such subtitles.")),
        .urlExpired(URLExpiry(itemID: "a", status: 403, timeout: 15)),
        .timeJumped(TimeJump(itemID: "a", from: 1, to: 2)),
        .timeJumped(TimeJump(itemID: "a", from: 9, to: 0, reason: .loop)),
        .rateChanged(RateChange(itemID: "a", rate: 0, reason: .stalled)),
        .selectionChanged(itemID: "a"), .readyForDisplay(itemID: "a"),
        .boundary(BoundaryCrossing(itemID: "a", time: 12.5)),
        .routeLost(RouteLoss(reason: .takenOver, by: "phone", item: MediaItem(url: "http://x/y"), position: 3)),
    ]

    @Test("every event survives the wire", arguments: events)
    func roundTrip(_ event: Event) throws {
        #expect(try Event(name: event.name, payload: event.payload()) == event)
    }

    @Test("an event of a later version is passed over")
    func unknownName() throws {
        #expect(try Event(name: "fireworks", payload: Data("{}".utf8)) == nil)
    }

    @Test("a live item's duration is null on the wire, not absent")
    func nullDuration() throws {
        var state = PlaybackState()
        state.item = ItemState(id: "a")
        let text = String(decoding: try Event.state(state).payload(), as: UTF8.self)
        #expect(text.contains(#""duration":null"#))
    }
}
