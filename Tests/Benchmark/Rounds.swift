import Casting
import Foundation
import ScreenWatch
import TestSupport

/// Has the players take their turns.
struct Rounds {
    let options: Options
    let sink: SoundSink
    var results = Results()

    init(options: Options, sink: SoundSink) {
        self.options = options
        self.sink = sink
    }

    /// castway, and those of the peers that are wanted, each on a screen of its own.
    private func players(
        _ start: Start, _ kinds: [PeerKind], width: Int, height: Int
    ) async throws -> [any Contestant] {
        let stage = try await Stage(width: width, height: height, sink: sink)
        let castway = try await Castway(stage: stage, binaries: options.binaries)
        var players: [any Contestant] = [castway]
        for kind in kinds where options.peers.contains(kind.name) {
            let stage = try await Stage(width: width, height: height, sink: sink)
            players.append(try await Peer(kind, start, stage: stage))
        }
        return players
    }

    /// Milliseconds from asking for a clip to its first picture.
    private func untilPicture(_ player: any Contestant, _ url: String) async throws -> Double {
        let recorder = try player.stage.record()
        try await Task.sleep(for: .milliseconds(100))
        let start = HostTime.now
        try await player.play(url)
        let sample = try await recorder.wait(since: start, for: "picture of \(player.name)") { $0.number != nil }
        return sample.time.seconds(since: start) * 1_000
    }

    /// Figures `load-…`: players that are there already.
    mutating func load(_ id: String, _ clip: Clip) async throws {
        let served = try Served(clip)
        let players = try await players(.warm, [.mpv, .vlc], width: clip.width, height: clip.height)
        for _ in 0..<(options.runs * 5 + 1) {
            for player in players {
                let reading = try await untilPicture(player, served.url)
                results.add(id, player.name, [reading])
                try await player.stop()
                try await player.stage.untilBlank()
            }
        }
        results.dropFirst(of: id)
    }

    /// Figure `cold`: a command, and for the peers all of their start.
    mutating func cold(_ clip: Clip) async throws {
        let served = try Served(clip)
        var players = try await players(.cold, [.mpv, .vlc, .ffplay], width: clip.width, height: clip.height)
        guard let receiver = players[0] as? Castway else { return }
        players[0] = try CastwayBySender(receiver: receiver, binaries: options.binaries)
        for _ in 0..<(options.runs * 3 + 1) {
            for player in players {
                results.add("cold", player.name, [try await untilPicture(player, served.url)])
                try await player.stop()
                try await player.stage.untilBlank()
            }
        }
        results.dropFirst(of: "cold")
    }

    /// Figures `cpu-…`, `unseen-…`, `sync-…` and `memory-…`: a clip played for a while.
    mutating func play(_ name: String, _ clip: Clip) async throws {
        let served = try Served(clip)
        for _ in 0..<options.runs {
            // Anew each time, as the most memory ever in use counts.
            for player in try await players(
                .cold, [.mpv, .vlc, .ffplay], width: clip.width, height: clip.height)
            {
                for (figure, value) in try await Performance(player, options.seconds).figures(of: served.url) {
                    results.add(figure.hasPrefix("sync") ? figure : "\(figure)-\(name)", player.name, [value])
                }
            }
        }
    }

    /// Figures `paused-…`.
    mutating func paused(_ clip: Clip) async throws {
        let served = try Served(clip)
        for _ in 0..<options.runs {
            for player in try await players(
                .cold, [.mpv, .vlc, .ffplay], width: clip.width, height: clip.height)
            {
                _ = try await untilPicture(player, served.url)
                try await Task.sleep(for: .seconds(1.5))
                try await player.pause()
                try await Task.sleep(for: .seconds(2))
                guard let process = player.process else { continue }
                let (start, before) = (HostTime.now, ProcessCost(of: process))
                try await Task.sleep(for: .seconds(6))
                let (seconds, after) = (HostTime.now.seconds(since: start), ProcessCost(of: process))
                results.add("paused-wakeups", player.name, [Double(after.sleeps - before.sleeps) / seconds])
                results.add(
                    "paused-cpu", player.name, [(after.processorTime - before.processorTime) / seconds * 100])
                try await player.stop()
            }
        }
    }

    /// Figures `seek-…`: to places that are not loaded, in a film that is sent only as far as it is watched.
    mutating func seek(_ clip: Clip) async throws {
        let size = try clip.size()
        let rate = Int(Double(size) / clip.duration)
        // 4 s at once, and then as fast as it is played: what a seek finds is what it has asked for.
        let served = try Served(clip, .burst(bytes: rate * 4, thenBytesPerSecond: rate * 5 / 4))
        // Each in a part of the film of its own, far enough from the others.
        let parts = Int(clip.duration / 16)
        let targets: [Double] = (0..<min(15, parts)).map { (index: Int) -> Double in
            let part = (index * 7 + 3) % parts
            return Double(part * 16 + 4) + Double(index % 5) * 0.7
        }
        for _ in 0..<options.runs {
            for player in try await players(.warm, [.mpv], width: clip.width, height: clip.height) {
                let seeks = try await Seeks(player, clip.rate).run(targets, in: served, settling: 1)
                results.add("seek-median", player.name, [seeks.latencies.median])
                results.add("seek-p90", player.name, [seeks.latencies.percentile(0.9)])
                results.add("seek-landing", player.name, [Double(seeks.offset)])
                try await player.stop()
            }
        }
    }

    /// Figures `loaded-seek-…`: within a film that has come whole.
    mutating func loadedSeek(_ clip: Clip) async throws {
        let targets: [Double] = (0..<15).map { (index: Int) -> Double in
            let part = Double((index * 7 + 4) % 15) / 15
            return clip.duration * 0.9 * part + Double(index % 4) * 0.6
        }
        for _ in 0..<options.runs {
            for player in try await players(.warm, [.mpv], width: clip.width, height: clip.height) {
                let served = try Served(clip)
                let seeks = try await Seeks(player, clip.rate).run(targets, in: served, settling: 4)
                results.add("loaded-seek-median", player.name, [seeks.latencies.median])
                results.add("loaded-seek-p90", player.name, [seeks.latencies.percentile(0.9)])
                results.add("loaded-seek-requests", player.name, [Double(seeks.requests)])
                try await player.stop()
            }
        }
    }
}
