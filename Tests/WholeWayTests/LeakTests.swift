import Casting
import Foundation
import Sender
import TestSupport
import Testing

/// Nothing is left over of what was played.
struct LeakTests {
    @Test("200 times loaded and stopped: no memory, thread, file or connection is left over", .timeLimit(.minutes(5)))
    func loads() async throws {
        let theatre = try await Theatre(environment: ["SDL_AUDIODRIVER": "dummy"])
        var clip = Clip()
        clip.duration = 1
        let server = try ClipServer(path: try clip.path())
        let missing = try FaultServer()
        let session = try await theatre.openSession()

        func play(_ count: Int) async throws {
            for index in 0..<count {
                // One in ten cannot be played, one in two moves: all the ways in and out.
                let isBad = index % 10 == 9
                var item = MediaItem(url: isBad ? missing.url : server.url, paused: index % 2 == 0)
                item.startPosition = index % 4 == 1 ? 0.5 : nil
                do {
                    try await session.load(item)
                    #expect(!isBad)
                } catch {
                    #expect(isBad, "\(error)")
                }
                try await session.stop()
            }
        }

        try await play(20)
        try await Task.sleep(for: .seconds(1))
        let before = try ProcessFigures(of: theatre.receiver.id)
        try await play(180)
        var after = before
        let settled = try await eventually {
            after = try ProcessFigures(of: theatre.receiver.id)
            return after.ownThreads.count <= before.ownThreads.count && after.files.count <= before.files.count
        }
        #expect(settled, "\(before.ownThreads) → \(after.ownThreads), \(before.files) → \(after.files)")
        #expect(
            after.memory - before.memory < 10 << 20, "\(before.memory >> 10) KiB → \(after.memory >> 10) KiB")
        print("200 loads: \(before.memory >> 10) KiB after 20, \(after.memory >> 10) KiB after 200")
    }
}
