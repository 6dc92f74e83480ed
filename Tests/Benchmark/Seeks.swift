import Casting
import Foundation
import ScreenWatch
import TestSupport

/// A player seeks about in a film that it plays.
struct Seeks {
    /// Milliseconds from each request to a picture of the new place.
    var latencies = Readings()
    /// How many pictures the worst landing was off.
    var offset = 0
    /// Requests made at the film's server meanwhile.
    var requests = 0

    private let player: any Contestant
    private let rate: Int

    init(_ player: any Contestant, _ rate: Int) {
        self.player = player
        self.rate = rate
    }

    /// - Parameter settling: seconds of playback before the first seek.
    func run(_ targets: [Double], in film: Served, settling: Double) async throws -> Seeks {
        var result = self
        let recorder = try player.stage.record()
        try await player.play(film.url)
        _ = try await recorder.wait(since: .now, for: "picture of \(player.name)") { $0.number != nil }
        try await Task.sleep(for: .seconds(settling))
        let before = film.requests
        for target in targets {
            let frame = Int((target * Double(rate)).rounded())
            let start = HostTime.now
            try await player.seek(to: Double(frame) / Double(rate))
            // Within 2 s of the place, either way: key frames are that far apart. It plays, so a picture or two may have passed
            // between two looks.
            let sample = try await recorder.wait(since: start, for: "picture of \(player.name) after a seek") {
                $0.number.map { abs($0 - frame) <= 2 * rate } ?? false
            }
            result.latencies.values.append(sample.time.seconds(since: start) * 1_000)
            result.offset = max(result.offset, abs((sample.number ?? frame) - frame))
            try await Task.sleep(for: .seconds(0.7))
        }
        result.requests = film.requests - before
        return result
    }
}
