import Arguments
import Foundation
import TestSupport

// Measures castway beside other players from outside, on the same clips in the same run. Nothing passes or fails here
// unless asked for: each bar stands beside its figure.

@main
struct Benchmark {
    static func main() async {
        do {
            guard let options = try Options(Array(CommandLine.arguments.dropFirst())) else { return }
            let report = try await run(options)
            print(report.table)
            print("\n" + report.summary)
            try report.write(to: options.json)
            exit(options.isStrict && report.isMissed ? 1 : 0)
        } catch let error as UsageError {
            say(error.description)
            exit(2)
        } catch {
            say("The benchmark could not run: \(error)")
            exit(1)
        }
    }

    private static func run(_ options: Options) async throws -> Report {
        let thresholds = try Threshold.load(options.thresholds)
        let before = load
        var rounds = Rounds(options: options, sink: try await SoundSink())
        let seconds = options.seconds
        let long = seconds + 8
        if options.wants("load-720p30") {
            try await step("load, 720p30") { try await rounds.load("load-720p30", Clips.hd(long)) }
        }
        if options.wants("load-1080p60") {
            try await step("load, 1080p60") { try await rounds.load("load-1080p60", Clips.fast(long)) }
        }
        if options.wants("cold") { try await step("cold start") { try await rounds.cold(Clips.hd(long)) } }
        if options.wants("seek-median", "seek-p90", "seek-landing") {
            try await step("seeks") { try await rounds.seek(Clips.hd(seconds < 10 ? 64 : 256)) }
        }
        if options.wants("loaded-seek-median", "loaded-seek-p90", "loaded-seek-requests") {
            try await step("seeks in what is loaded") { try await rounds.loadedSeek(Clips.hd(64)) }
        }
        if options.wants("cpu-720p30", "unseen-720p30", "sync-mean", "sync-worst", "memory-720p30") {
            try await step("playing 720p30") { try await rounds.play("720p30", Clips.hd(long)) }
        }
        if options.wants("cpu-1080p60", "unseen-1080p60", "memory-1080p60") {
            try await step("playing 1080p60") { try await rounds.play("1080p60", Clips.fast(long)) }
        }
        if options.wants("cpu-hevc") {
            try await step("playing HEVC") { try await rounds.play("hevc", Clips.hevc(long)) }
        }
        if options.wants("paused-wakeups", "paused-cpu") {
            try await step("pausing") { try await rounds.paused(Clips.hd(long)) }
        }
        return Report(
            results: rounds.results, figures: options.figures, thresholds: thresholds, runs: options.runs,
            load: [before, load])
    }

    private static func step(_ name: String, _ work: () async throws -> Void) async throws {
        say("Measuring: \(name)")
        try await work()
    }

    private static func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    /// Processes that wanted to run, on the mean of the last minute.
    private static var load: Double {
        var averages = [0.0]
        getloadavg(&averages, 1)
        return averages[0]
    }
}
