import Casting
import Foundation
import TestSupport
import Testing

@testable import Sender

/// The commands that need something to be playing.
@Suite struct SteeringTests {
    let receiver: TestReceiver
    let user: TestUser

    init() async throws {
        receiver = try TestReceiver()
        user = try TestUser()
        let run = try await user.run([
            "play", "http://192.0.2.1/film.mp4?secret=1", "--title", "Film", "--paused", "--at", "10", "--detach",
            "--to",
            receiver.address,
        ])
        try #require(run.status == 0, "\(run)")
    }

    static let commands: [([String], Command, String)] = [
        (["pause"], .pause, "Paused at 0:10.\n"),
        (["resume"], .play, "Goes on at 0:10.\n"),
        (["seek", "1:02.5"], .seek(SeekRequest(position: 62.5)), "At 1:02.5.\n"),
        (["seek", "+10"], .skip(by: 10), "At 0:20.\n"),
        (["seek", "-3"], .skip(by: -3), "At 0:07.\n"),
        (["step"], .step(by: 1), "Paused at 0:10.04.\n"),
        (["step", "-3"], .step(by: -3), "Paused at 0:09.88.\n"),
        (["rate", "1.5"], .setDefaultRate(1.5), "Plays at 1.5 times the normal speed.\n"),
        (["rate", "1"], .setDefaultRate(1), "Plays at the normal speed.\n"),
        (["volume", "50"], .setVolume(.set(0.5)), "Volume 50 %.\n"),
        (["volume", "-5"], .setVolume(.adjust(-0.05)), "Volume 95 %.\n"),
        (["volume", "mute"], .setVolume(.mute(true)), "Volume 100 %, muted.\n"),
        (["volume", "unmute"], .setVolume(.mute(false)), "Volume 100 %.\n"),
        (
            ["picture", "fill"], .setOptions(PlaybackOptions(videoGravity: .resizeAspectFill)),
            "The picture fills the screen.\n"
        ),
        (["picture", "fit"], .setOptions(PlaybackOptions(videoGravity: .resizeAspect)), "All of the picture shows.\n"),
        (["next"], .next, "That was the last item.\n"),
        (["stop"], .stop, "Stopped.\n"),
        (["queue", "clear"], .clearQueue, "The queue is cleared.\n"),
        (
            ["queue", "loop", "all"], .setOptions(PlaybackOptions(loop: .all)),
            "The queue is played again and again.\n"
        ),
        (
            ["queue", "loop", "none"], .setOptions(PlaybackOptions(loop: LoopMode.none)), "Nothing is played again.\n"
        ),
    ]

    @Test("play says how it is to be played, and the next play forgets it")
    func options() async throws {
        for (words, wanted) in [
            (["--loop"], PlaybackOptions(actionAtItemEnd: .advance, loop: .one)),
            (["--at-end", "pause"], PlaybackOptions(actionAtItemEnd: .pause, loop: LoopMode.none)),
            ([], PlaybackOptions(actionAtItemEnd: .advance, loop: LoopMode.none)),
        ] {
            let run = try await user.run(["play", "http://192.0.2.1/b.mp4", "--detach"] + words)
            #expect(run.status == 0, "\(run)")
            #expect(receiver.player.state.options == PlaybackOptions.standard.changed(by: wanted))
        }
        #expect(try await user.run(["play", "http://192.0.2.1/b.mp4", "--detach", "--at-end", "x"]).status == 2)
        #expect(try await user.run(["queue", "loop", "some"]).status == 2)
        #expect(try await user.run(["picture", "round"]).status == 2)
        #expect(try await user.run(["resume", "--now"]).status == 0)
        #expect(receiver.got { $0 == .playImmediately(rate: nil) })
    }

    @Test("the log says what the network gave, for people and for programs")
    func log() async throws {
        let run = try await user.run(["log"])
        #expect(run.status == 0, "\(run)")
        #expect(run.output.hasPrefix("http://host/film.mp4\n  2024-01-01T00:00:00.000Z  from 0:00, "), "\(run)")
        #expect(try await user.run(["log", "--w3c"]).output.hasPrefix("#Version: 1.0\n#Fields: date uri "))
        #expect(try await user.run(["log", "--json"]).output.contains("\"numberOfBytesTransferred\":1000"))
    }

    @Test("what cannot be written is no success")
    func lostOutput() throws {
        for words in ["--help", "status", "queue list --json"] {
            let run = try runAny(
                "sh", ["-c", "exec \(TestUser.program) \(words) --to \(receiver.address) > /dev/full"],
                environment: ["XDG_STATE_HOME": user.folder.path])
            #expect(run.status == 1, "\(words)")
            #expect(run.errors.hasPrefix("castsend: the output cannot be written: "), "\(run.errors)")
        }
    }

    @Test("an address with a port that cannot be is refused at once")
    func impossiblePort() async throws {
        for address in ["127.0.0.1:70000", "tv.local:0", "[::1]:99999"] {
            let run = try await user.run(["status", "--to", address])
            #expect(run.status == 2)
            #expect(run.errors.contains("port"), "\(run.errors)")
        }
    }

    @Test("a command reaches the player and says where it led", arguments: commands)
    func steers(_ words: [String], _ command: Command, _ output: String) async throws {
        // Without “--to”: it is the one used last.
        let run = try await user.run(words)
        #expect(run.status == 0)
        #expect(run.output == output)
        #expect(run.errors == "")
        #expect(receiver.got { $0 == command })
    }

    @Test("a place outside the film is refused with where one can go")
    func outside() async throws {
        let run = try await user.run(["seek", "1:00:00"])
        #expect(run.status == 4)
        #expect(run.errors == "castsend: That place cannot be reached.\nOne can go from 0:00 to 1:40.\n")
    }

    @Test(
        "what makes no sense is refused before anything is sent",
        arguments: [
            ["seek", "soon"], ["rate", "3"], ["rate", "x"], ["volume", "loud"], ["volume", "101"], ["queue"],
            ["pause", "now"],
        ])
    func nonsense(_ words: [String]) async throws {
        let before = receiver.player.commands.count
        let run = try await user.run(words)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("castsend: "))
        #expect(receiver.player.commands.count == before)
    }

    @Test("the queue is filled, shown and gone through")
    func queue() async throws {
        let add = try await user.run(["queue", "add", "http://192.0.2.1/two.mp4", "--title", "Two", "-H", "A: b"])
        #expect(add.output == "1 item added; the queue has 2.\n")
        #expect(receiver.player.queue.last?.headers == ["A": "b"])
        let more = try await user.run([
            "queue", "add", "http://192.0.2.1/three.mp4?token=x", "http://192.0.2.1/four.mp4",
        ])
        #expect(more.output == "2 items added; the queue has 4.\n")
        let list = try await user.run(["queue", "list"])
        #expect(
            list.output == """
                ▶ 1  Film
                  2  Two
                  3  http://192.0.2.1/three.mp4?…
                  4  http://192.0.2.1/four.mp4

                """)
        #expect(try await user.run(["next"]).output == "Now: “Two”.\n")
        #expect(try await user.run(["next"]).output == "Now: item 3 of 4.\n")
        #expect(try await user.run(["previous"]).output == "Now: “Two”.\n")
        #expect(try await user.run(["previous"]).output == "Now: “Film”.\n")
        let json = try await user.run(["queue", "list", "--json"])
        #expect((try documents(json.output).first?["items"] as? [Any])?.count == 4)
    }

    @Test("status shows what plays, in words and in JSON")
    func status() async throws {
        let run = try await user.run(["status"])
        #expect(run.status == 0)
        #expect(
            run.output.hasPrefix(
                "Test TV  (castway receiver \(Castway.version), \(receiver.address))\nFilm\npaused  0:10 / 1:40"))
        #expect(run.output.hasSuffix("volume 100 %\n"))
        let json = try #require(try documents(try await user.run(["status", "--json"]).output).first)
        #expect((json["receiver"] as? [String: Any])?["name"] as? String == "Test TV")
        #expect(((json["playback"] as? [String: Any])?["item"] as? [String: Any])?["title"] as? String == "Film")
    }

    @Test("watch shows what happens, and goes without disturbing it")
    func watch() async throws {
        let watch = try user.start(["watch"])
        #expect(await eventually { watch.output.contains("paused  0:10 / 1:40") })
        #expect(try await user.run(["resume"]).status == 0)
        #expect(await eventually { watch.output.contains("playing  0:1") })
        watch.signal(SIGINT)
        #expect(await watch.status() == 0)
        #expect(receiver.player.state.timeControlStatus == .playing)
    }

    @Test("disconnect ends the session, and then there is nothing to steer")
    func disconnect() async throws {
        let run = try await user.run(["disconnect"])
        #expect(run.status == 0)
        #expect(run.output == "Disconnected from “Test TV”. It was at 0:10.\n")
        #expect(user.state.lastUsed?.session == nil)
        for command in [["pause"], ["watch"], ["queue", "list"], ["disconnect"]] {
            let refused = try await user.run(command)
            #expect(refused.status == 4)
            #expect(
                refused.errors == """
                    castsend: Nothing is being cast by this machine to “Test TV”.
                    Start something with “castsend play”.

                    """)
        }
        #expect(try await user.run(["status"]).output.hasSuffix("idle, held by nobody\n"))
    }

    @Test("after a takeover it is said who has it now, and a new play opens a new session")
    func takenOver() async throws {
        _ = try await receiver.openSession("phone", takeover: .always)
        let refused = try await user.run(["pause"])
        #expect(refused.status == 4)
        #expect(refused.errors.contains("phone"))
        #expect(user.state.lastUsed?.session == nil)
        #expect(try await user.run(["status"]).output.hasSuffix("idle, held by phone\n"))
        #expect(try await user.run(["play", "http://192.0.2.1/film.mp4", "--detach"]).status == 0)
        #expect(try await user.run(["pause"]).status == 0)
    }
}
