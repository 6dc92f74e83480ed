import Casting
import Foundation
import ScreenWatch
import TestSupport

/// A player plays a clip for a while, and is watched, listened to and billed.
struct Performance {
    private let player: any Contestant
    private let seconds: Double

    init(_ player: any Contestant, _ seconds: Double) {
        self.player = player
        self.seconds = seconds
    }

    /// Plays it and gives the figures.
    func figures(of url: String) async throws -> [String: Double] {
        var figures: [String: Double] = [:]
        let (screen, sound) = (try player.stage.record(), try player.stage.sink.record())
        try await Task.sleep(for: .milliseconds(300))
        let start = HostTime.now
        try await player.play(url)
        _ = try await screen.wait(since: start, for: "picture of \(player.name)") { $0.number != nil }
        // The start costs what it costs once.
        try await Task.sleep(for: .seconds(2))
        guard let process = player.process else { return [:] }
        let (begin, before) = (HostTime.now, ProcessCost.processorTime(of: process))
        try await Task.sleep(for: .seconds(seconds))
        let used = ProcessCost.processorTime(of: process) - before
        figures["cpu"] = used / HostTime.now.seconds(since: begin) * 100
        figures["memory"] = ProcessCost(of: process).peakMemory
        let samples = screen.samples.filter { $0.number != nil }
        figures["unseen"] = Self.unseen(samples) * 1_000
        let offsets = Self.offsets(samples, sound.tones)
        try await player.stop()
        guard !offsets.isEmpty else { return figures }
        figures["sync-mean"] = offsets.reduce(0, +) / Double(offsets.count) * 1_000
        figures["sync-worst"] = (offsets.max { abs($0) < abs($1) } ?? 0) * 1_000
        return figures
    }

    /// The part of the pictures between the first and the last seen that no look has met.
    static func unseen(_ samples: [ScreenSample]) -> Double {
        let numbers = Set(samples.compactMap(\.number))
        guard let first = numbers.min(), let last = numbers.max(), last > first else { return 0 }
        return 1 - Double(numbers.count) / Double(last - first + 1)
    }

    /// By how many seconds each white block came after its tone.
    static func offsets(_ samples: [ScreenSample], _ tones: [HostTime]) -> [Double] {
        let flashes = zip(samples, samples.dropFirst()).filter { !$0.isFlash && $1.isFlash }
            // What is seen now may have been there since shortly after the look before.
            .map { HostTime(nanoseconds: ($0.time.nanoseconds + $1.time.nanoseconds) / 2) }
        return flashes.compactMap { flash in
            let nearest = tones.map { flash.seconds(since: $0) }.min { abs($0) < abs($1) }
            return nearest.flatMap { abs($0) < 0.4 ? $0 : nil }
        }
    }
}
