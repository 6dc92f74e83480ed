import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

/// Inputs that players are known to stumble over, played by the real player from beginning to end.
@Suite struct OddInputTests {
    @Test("odd times: played to the end, every second of it", arguments: oddTimes)
    func times(_ input: OddInput) async throws { try await play(input) }

    @Test("odd pictures and formats: played to the end", arguments: oddPictures)
    func pictures(_ input: OddInput) async throws { try await play(input) }

    @Test("odd containers: played to the end, or an error that says why not", arguments: oddContainers)
    func containers(_ input: OddInput) async throws { try await play(input) }

    private func play(_ input: OddInput) async throws {
        let place = await Turns.shared.take()
        defer { place.giveBack() }
        let folder = try TemporaryFolder()
        try await onOwnThread { try OddInputMaker(folder: folder.path).make(input) }
        let server = try FolderServer(path: folder.path)
        let play = try await PlayThrough.of(server.url(input.name))
        #expect(play.error?.code == input.error)
        guard input.error == nil else { return }
        #expect(play.endings == 1)
        if let last = input.last {
            let shown = play.shown.last?.time ?? -1
            #expect(abs(shown - last) < 0.35, "last picture at \(shown)")
        }
        // What has been shown does not come again; where every fifth picture's time is wrong, by no more than that.
        let slack = input.name == "jagged.mkv" ? 0.121 : 0
        #expect(zip(play.shown, play.shown.dropFirst()).allSatisfy { $0.time <= $1.time + slack })
    }
}
