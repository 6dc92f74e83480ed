import Casting
import Foundation
import Sender
import TestSupport
import Testing

/// The receiver's end, and what the next start knows of it.
struct LifetimeTests {
    @Test(
        "asked to end in mid-film, it is gone at once, tells its sender, and offers the film again",
        arguments: [SIGTERM, SIGINT])
    func ending(_ signal: Int32) async throws {
        let theatre = try await Theatre()
        let server = try ClipServer(path: try Clip().path())
        let follower = try theatre.startCastsend("play", server.url, "--title", "Holiday", "--header", "X-Secret: hush")
        #expect(try await theatre.eventuallyState { $0.timeControlStatus == .playing && $0.timeline.position > 0.4 })
        let before = try await theatre.castsendSession().playback().timeline.position

        let asked = ContinuousClock.now
        theatre.receiver.signal(signal)
        #expect(await theatre.receiver.status() == 0)
        // One second is the promise; the rest is for a busy machine to notice.
        #expect(ContinuousClock.now - asked < .seconds(1.5))
        #expect(await follower.status() == 6)
        #expect(follower.errors.contains("was switched off"), "\(follower.errors)")

        let next = try await Theatre(after: theatre)
        let sender = SenderIdentity(id: theatre.senderState.senderID, name: "The same")
        let other = SenderIdentity(id: "other", name: "Another")
        #expect(try await next.client.openSession(SessionRequest(sender: other)).interrupted == nil)
        let grant = try await next.client.openSession(SessionRequest(sender: sender))
        let end = try #require(grant.interrupted)
        #expect(end.item?.url == server.url)
        #expect(end.item?.title == "Holiday")
        #expect(end.item?.headers == nil)
        #expect(end.wasPlaying)
        #expect(try #require(end.position) >= before)
        let saved = try FileManager.default.subpathsOfDirectory(atPath: theatre.receiverState)
            .compactMap { FileManager.default.contents(atPath: theatre.receiverState + "/" + $0) }
        #expect(!saved.contains { $0.range(of: Data("hush".utf8)) != nil })
    }

    @Test(
        "asked to end with an idle screen or while a server keeps it waiting, it is gone as fast",
        arguments: [false, true])
    func endingElsewhere(_ isLoading: Bool) async throws {
        let theatre = try await Theatre()
        let server = try FaultServer(Data(count: 1_000), .stallAfter(fraction: 0, times: 99))
        var follower: Child?
        if isLoading {
            follower = try theatre.startCastsend("play", server.url)
            #expect(try await theatre.eventuallyState { $0.item?.status == .unknown })
        }
        let asked = ContinuousClock.now
        theatre.receiver.signal(SIGTERM)
        #expect(await theatre.receiver.status() == 0)
        #expect(ContinuousClock.now - asked < .seconds(1.5))
        if let follower { #expect(await follower.status() == 6) }
        #expect(theatre.receiver.errors.contains("info: ended"), "\(theatre.receiver.errors)")
    }
}
