import Casting
import Foundation
import HTTP
import Receiver
import TestSupport
import Testing

@testable import Sender

/// The real castsend against the real API.
@Suite struct PlayTests {
    let receiver: TestReceiver
    let user: TestUser
    let film = "http://192.0.2.1/film.mp4"

    init() throws {
        receiver = try TestReceiver()
        user = try TestUser()
    }

    @Test("a detached play comes back once it plays, and everything asked for has arrived")
    func detached() async throws {
        let run = try await user.run([
            "play", film, "--to", receiver.address, "--detach", "--at", "1:02.5", "--title", "Film", "--header",
            "Cookie: a=b",
            "-H", "X-Key:1", "--paused",
        ])
        #expect(run.status == 0)
        #expect(run.output == "“Film” plays on “Test TV”.\n")
        #expect(run.errors == "")
        let item = try #require(receiver.loads.first)
        #expect(item.url == film)
        #expect(item.title == "Film")
        #expect(item.startPosition == 62.5)
        #expect(item.headers == ["Cookie": "a=b", "X-Key": "1"])
        #expect(item.paused == true)
    }

    @Test("a play is followed to its end, in plain lines where nobody can see them redrawn")
    func followed() async throws {
        let play = try user.start(["play", film, "--title", "Film", "--to", receiver.address])
        #expect(await eventually { play.output.contains("playing  0:0") })
        receiver.finishItem()
        #expect(await play.status() == 0)
        let lines = play.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "Playing “Film” on “Test TV”.")
        #expect(lines.last == "It has ended.")
        #expect(!play.output.contains("\r") && !play.output.contains("\u{1b}"))
        #expect(lines.count < 8)
    }

    @Test("what cannot be played says why and what to do, and ends with 5")
    func broken() async throws {
        for more in [[], ["--detach"]] {
            let run = try await user.run(["play", "http://192.0.2.1/broken", "--to", receiver.address] + more)
            #expect(run.status == 5)
            #expect(run.errors == "castsend: The server has no such thing.\nCheck the address.\n")
        }
    }

    @Test("a failure in the middle ends with 5")
    func failsLater() async throws {
        let play = try user.start(["play", film, "--to", receiver.address])
        #expect(await eventually { play.output.contains("playing  0:0") })
        let id = try #require(receiver.loads.first?.id)
        receiver.player.tell(.failed(itemID: id, error: CastError(.noLongerPlayable, "The film went away.")))
        #expect(await play.status() == 5)
        #expect(play.errors == "castsend: The film went away.\n")
    }

    @Test("a receiver that another holds is not touched without --takeover always")
    func busy() async throws {
        let other = try await receiver.openSession("phone")
        _ = try await receiver.receiver.perform(.load(MediaItem(url: film)), session: other.id)
        let refused = try await user.run(["play", film, "--to", receiver.address, "--detach"])
        #expect(refused.status == 4)
        #expect(refused.errors.contains("phone"))
        #expect(refused.errors.contains("“--takeover always”"))
        #expect(receiver.loads.count == 1)
        let taken = try await user.run(["play", film, "--to", receiver.address, "--detach", "--takeover", "always"])
        #expect(taken.status == 0)
        #expect(receiver.loads.count == 2)
    }

    @Test("whoever is pushed out is told by whom, and ends with 4")
    func takenOver() async throws {
        let play = try user.start(["play", film, "--to", receiver.address])
        #expect(await eventually { play.output.contains("playing  0:0") })
        _ = try await receiver.openSession("phone", takeover: .always)
        #expect(await play.status() == 4)
        #expect(play.errors.hasPrefix("castsend: phone took “Test TV” over. It was at 0:0"))
    }

    @Test("an end at the TV is no error")
    func endedThere() async throws {
        let play = try user.start(["play", film, "--to", receiver.address])
        #expect(await eventually { play.output.contains("playing  0:0") })
        await receiver.receiver.endLocally()
        #expect(await play.status() == 0)
        #expect(play.output.contains("It was ended at “Test TV”."))
    }

    @Test("a receiver that stops says so, and it ends with 6")
    func stopping() async throws {
        let play = try user.start(["play", film, "--to", receiver.address])
        #expect(await eventually { play.output.contains("playing  0:0") })
        await receiver.receiver.shutdown()
        #expect(await play.status() == 6)
        #expect(play.errors.hasPrefix("castsend: “Test TV” was switched off."))
    }

    @Test("a receiver that vanishes is given up within six seconds, with 6")
    func vanished() async throws {
        let play = try user.start(["play", film, "--to", receiver.address])
        #expect(await eventually { play.output.contains("playing  0:0") })
        let start = ContinuousClock.now
        receiver.vanish()
        #expect(await play.status(within: 15) == 6)
        #expect(ContinuousClock.now - start < .seconds(7))
        #expect(play.errors.hasPrefix("castsend: “Test TV” does not answer any more.\nIt was at 0:0"))
        #expect(play.output.contains("no answer"))
    }

    @Test("a receiver that was restarted does not know the session, and it ends with 6")
    func restarted() async throws {
        let play = try user.start(["play", film, "--to", receiver.address])
        #expect(await eventually { play.output.contains("playing  0:0") })
        let port = receiver.port
        receiver.vanish()
        let again = try await TestReceiver.replacing(receiver.id, port: port)
        #expect(await play.status() == 6)
        #expect(play.errors.contains("it was restarted"))
        #expect(again.loads.isEmpty)
    }

    @Test("another play of the same machine takes the place of the first, which ends well")
    func replaced() async throws {
        let play = try user.start(["play", film, "--to", receiver.address])
        #expect(await eventually { play.output.contains("playing  0:0") })
        let other = try await user.run(["play", film, "--detach"])
        #expect(other.status == 0)
        #expect(await play.status() == 0)
        #expect(play.output.contains("Something else was put on in its place."))
    }

    @Test("a signal ends the following of an address, not its playing", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signal(_ signal: Int32) async throws {
        let play = try user.start(["play", film, "--to", receiver.address])
        #expect(await eventually { play.output.contains("playing  0:0") })
        play.signal(signal)
        #expect(await play.status() == 0)
        #expect(!receiver.got { $0 == .stop })
        #expect(receiver.player.state.timeControlStatus == .playing)
    }

    @Test("in JSON every event is a document, and so is the end")
    func json() async throws {
        let play = try user.start(["play", film, "--json", "--to", receiver.address])
        #expect(await eventually { play.output.contains(#""playing""#) })
        receiver.finishItem()
        #expect(await play.status() == 0)
        let documents = try documents(play.output)
        #expect(documents.first?["event"] as? String == "state")
        #expect(documents.contains { $0["event"] as? String == "ended" })
        #expect(documents.last?["result"] as? String == "ended")
        #expect(play.errors == "")
        let failed = try await user.run(["play", "http://192.0.2.1/broken", "--json", "--detach"])
        #expect(failed.status == 5)
        let error = try #require(try lastDocument(failed.output)["error"] as? [String: Any])
        #expect(error["code"] as? String == "contentIsUnavailable")
    }
}

private func lastDocument(_ text: String) throws -> [String: Any] {
    try #require(try documents(text).last)
}
