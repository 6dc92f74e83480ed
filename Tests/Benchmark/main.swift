import Foundation
import TestSupport

// Measures castway beside mpv and ffplay from outside, on the same clips in the same run, and prints the figures.
// Nothing passes or fails here: each bar stands beside its figure.

let binaries = CommandLine.arguments.dropFirst().first ?? ".build/release"
let rounds = Int(ProcessInfo.processInfo.environment["ROUNDS"] ?? "") ?? 5
let seconds = Double(ProcessInfo.processInfo.environment["SECONDS"] ?? "") ?? 30

/// Plays a clip with each contestant in turn, `rounds` times, and reads one figure from each.
func compare(
    _ stage: Stage, _ url: String, rounds: Int, reading: (any Contestant, ContinuousClock.Instant) throws -> Double
) throws -> [(name: String, figure: Figure)] {
    var all = try contestants(on: stage, binaries: binaries)
    var readings = all.map { _ in [Double]() }
    for _ in 0..<rounds {
        for index in all.indices {
            let start = ContinuousClock.now
            try all[index].play(url)
            readings[index].append(try reading(all[index], start))
            try all[index].stop()
            try stage.untilBlank()
        }
    }
    return zip(all, readings).map { ($0.name, Figure(readings: $1)) }
}

do {
    var clip = Clip()
    (clip.width, clip.height, clip.rate, clip.keyInterval, clip.duration) = (1280, 720, 30, 60, seconds + 15)
    let server = try ClipServer(path: try clip.path())
    let stage = try Stage(width: 1280, height: 720)

    printRow(
        "From the command to the first picture, 720p30 H.264 over HTTP", unit: "ms",
        figures: try compare(stage, server.url, rounds: rounds) { _, start in
            try stage.untilPicture(since: start) * 1_000
        }, bar: 0.7)

    printRow(
        "Processor time for \(Int(seconds)) s of it", unit: "% of a core",
        figures: try compare(stage, server.url, rounds: 1) { contestant, start in
            _ = try stage.untilPicture(since: start)
            let before = processorTime(of: contestant.playingProcess)
            usleep(UInt32(seconds * 1e6))
            return (processorTime(of: contestant.playingProcess) - before) / seconds * 100
        }, bar: 1.2)

    (clip.width, clip.height, clip.duration) = (1920, 1080, 15)
    let large = try ClipServer(path: try clip.path())
    let largeStage = try Stage(width: 1920, height: 1080)
    printRow(
        "Peak memory, 1080p30 (castway's bar: 200 MB)", unit: "MB",
        figures: try compare(largeStage, large.url, rounds: 1) { contestant, start in
            _ = try largeStage.untilPicture(since: start)
            usleep(8_000_000)
            return peakMemory(of: contestant.playingProcess)
        }, bar: nil)
} catch {
    FileHandle.standardError.write(Data("The benchmark could not run: \(error)\n".utf8))
    exit(1)
}
