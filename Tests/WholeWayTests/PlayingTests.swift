import Casting
import Foundation
import TestSupport
import Testing

/// From `castsend play` to picture and sound, with the real programs over real sockets.
@Suite(.serialized) struct PlayingTests {
    @Test("a film starts at the asked position, and the state says which picture is up", arguments: [0.0, 1.2, 2.96])
    func startPosition(_ position: Double) async throws {
        let theatre = try await Theatre()
        let server = try ClipServer(path: try Clip().path())
        let played = try await theatre.castsend("play", server.url, "--at", "\(position)", "--paused", "--detach")
        #expect(played.status == 0, "\(played.errors)")
        #expect(try await theatre.frameNumber() == Int((position * 25).rounded()))
        let state = try await theatre.state()
        #expect(abs(state.timeline.position - position) < 0.001)
        #expect(state.timeControlStatus == .paused)
        #expect(state.readyForDisplay)
    }

    @Test("after a seek the picture of the position is up when the answer comes")
    func seeks() async throws {
        let theatre = try await Theatre()
        let server = try ClipServer(path: try Clip().path())
        #expect(try await theatre.castsend("play", server.url, "--paused", "--detach").status == 0)
        for (words, frame) in [("3.2", 80), ("0:01", 25), ("+0.52", 38), ("-1", 13), ("0", 0)] {
            let answer = try await theatre.castsend("seek", words)
            #expect(answer.status == 0, "seek \(words): \(answer.errors)")
            #expect(try await theatre.frameNumber() == frame, "seek \(words)")
        }
    }

    @Test("sound comes at its time: a tone at the start of each second")
    func sound() async throws {
        let theatre = try await Theatre()
        let server = try ClipServer(path: try Clip().path())
        let played = try await theatre.castsend("play", server.url)
        #expect(played.status == 0, "\(played.errors)")
        let tones = try Tones(file: theatre.sound)
        #expect(tones.starts.count == 4)
        for (one, next) in zip(tones.starts, tones.starts.dropFirst()) {
            // AAC's own onset is a few hundred samples wide; the clock's error is what is looked for.
            #expect(abs(next - one - 48_000) < 480, "\(tones.starts)")
        }
        #expect(abs(tones.frequency - 1_000) < 5)
    }

    @Test("a local file is served, followed to its end, and only that file")
    func localFile() async throws {
        let theatre = try await Theatre()
        var clip = Clip()
        clip.duration = 2
        let played = try await theatre.castsend("play", try clip.path())
        #expect(played.status == 0, "\(played.errors)")
        #expect(try await theatre.castsend("status", "--json").status == 0)
    }

    @Test("a sender may go away: the film from elsewhere plays on")
    func senderKilled() async throws {
        let theatre = try await Theatre()
        let server = try ClipServer(path: try Clip().path())
        let sender = try theatre.startCastsend("play", server.url)
        #expect(try await eventually { try await theatre.state().timeControlStatus == .playing })
        sender.signal(SIGKILL)
        _ = await sender.status()
        let before = try await theatre.state().timeline.position
        #expect(try await eventually { try await theatre.state().timeline.position > before + 0.5 })
    }

    @Test("a receiver that dies while it is followed is reported, with exit code 6")
    func receiverKilled() async throws {
        let theatre = try await Theatre()
        let server = try ClipServer(path: try Clip().path())
        let sender = try theatre.startCastsend("play", server.url)
        #expect(try await eventually { try await theatre.state().timeControlStatus == .playing })
        theatre.receiver.signal(SIGKILL)
        #expect(await sender.status(within: 15) == 6)
        #expect(sender.errors.contains("receiver"), "\(sender.errors)")
    }
}
