import Casting
import Foundation
import TestSupport
import Testing

/// The receiver sleeps when there is nothing to do.
struct IdleTests {
    /// Seconds of processor time and the times it woke up, within some seconds in which no new minute begins.
    private func use(of theatre: Theatre, seconds: Double) async throws -> (time: Double, sleeps: Int, who: String) {
        func minute() -> Int { Int(Date().timeIntervalSince1970 / 60) }
        while true {
            let (start, before) = (minute(), try ProcessFigures(of: theatre.receiver.id))
            try await Task.sleep(for: .seconds(seconds))
            let after = try ProcessFigures(of: theatre.receiver.id)
            // The clock on the screen may have struck.
            guard minute() == start else { continue }
            // A sound device that is open, as during a pause, has SDL's thread at its own pace.
            let sleeps = after.sleeps(since: before).filter { !$0.thread.contains("SDLAudio") }
            let who = sleeps.map { "\($0.thread): \($0.count)" }.joined(separator: ", ")
            return (after.processorTime - before.processorTime, sleeps.reduce(0) { $0 + $1.count }, who)
        }
    }

    @Test("with its card up it takes less than a hundredth of a core, and hardly wakes up", arguments: [false, true])
    func card(_ isWindow: Bool) async throws {
        guard !isWindow || XDisplay.isThere else {
            print("no Xvfb here: the window's idleness is not looked at")
            return
        }
        let display = isWindow ? try await XDisplay("640x360") : nil
        let theatre = try await Theatre(environment: display?.environment ?? [:])
        try await Task.sleep(for: .seconds(2))
        let use = try await use(of: theatre, seconds: 5)
        print("idle for 5 s: \(use.time) s of work, \(use.sleeps) wake-ups")
        #expect(use.time < 0.05)
        #expect(use.sleeps < 25, "\(use.who)")
    }

    @Test("a paused film that is followed costs hardly more")
    func paused() async throws {
        let theatre = try await Theatre()
        let server = try ClipServer(path: try Clip().path())
        let follower = try theatre.startCastsend("play", server.url, "--paused")
        #expect(try await theatre.eventuallyState { $0.readyForDisplay })
        // The bar over the picture fades.
        try await Task.sleep(for: .seconds(5))
        let use = try await use(of: theatre, seconds: 3)
        print("paused for 3 s: \(use.time) s of work, \(use.sleeps) wake-ups")
        #expect(use.time < 0.06)
        #expect(use.sleeps < 60, "\(use.who)")
        #expect(follower.isRunning)
    }
}
