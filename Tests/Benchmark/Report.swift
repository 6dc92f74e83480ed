import Foundation

/// The table and the JSON document of a run.
struct Report {
    var results: Results
    var figures: [Figure]
    var thresholds: [String: Threshold]
    var runs: Int
    /// How busy the machine was before and after: processes that wanted to run, over a minute.
    var load: [Double]

    private var measured: [(figure: Figure, readings: [(player: String, readings: Readings)], verdict: Verdict?)] {
        figures.compactMap { figure in
            guard let readings = results.readings[figure.id] else { return nil }
            return (figure, readings, Verdict(thresholds[figure.id], readings))
        }
    }

    /// The table: a line a figure, each player's median with least and greatest reading.
    var table: String {
        let players = ["castway", "mpv", "VLC", "ffplay"].filter { player in
            measured.contains { $0.readings.contains { $0.player == player } }
        }
        var rows = [["", ""] + players + ["bar", "ratio", ""]]
        for (figure, readings, verdict) in measured {
            var row = [figure.title, figure.unit]
            for player in players {
                let found = readings.first { $0.player == player }?.readings
                row.append(found.map { text($0, figure.places) } ?? "–")
            }
            let ratio = verdict?.ratio.map { String(format: "%.2f", $0) } ?? ""
            row += [verdict?.bar ?? "", ratio, verdict.map { $0.isHeld ? "held" : "MISSED" } ?? ""]
            rows.append(row)
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// Which bars are missed, in a sentence.
    var summary: String {
        let missed = measured.filter { $0.verdict?.isHeld == false }.map(\.figure.id)
        let busy = load.map { String(format: "%.1f", $0) }.joined(separator: " and ")
        let note = "\(runs) runs; load of the machine \(busy). In brackets the least and the greatest reading."
        return (missed.isEmpty ? "All bars are held." : "Missed: " + missed.joined(separator: ", ") + ".") + "\n" + note
    }

    /// Whether a bar is missed.
    var isMissed: Bool { measured.contains { $0.verdict?.isHeld == false } }

    private func text(_ readings: Readings, _ places: Int) -> String {
        func number(_ value: Double) -> String { String(format: "%.\(places)f", value) }
        guard readings.values.count > 1 else { return number(readings.median) }
        return "\(number(readings.median)) [\(number(readings.least))–\(number(readings.greatest))]"
    }

    /// The same for programs.
    func write(to path: String) throws {
        struct Player: Encodable {
            var median, least, greatest: Double
            var readings: [Double]
        }
        struct Line: Encodable {
            var id, title, unit: String
            var players: [String: Player]
            var verdict: Verdict?
        }
        struct Document: Encodable {
            var runs: Int
            var load: [Double]
            var figures: [Line]
        }
        let lines = measured.map { figure, readings, verdict in
            let players = readings.map { player, readings in
                let values = (readings.median, readings.least, readings.greatest)
                return (
                    player, Player(median: values.0, least: values.1, greatest: values.2, readings: readings.values)
                )
            }
            return Line(
                id: figure.id, title: figure.title, unit: figure.unit,
                players: Dictionary(uniqueKeysWithValues: players), verdict: verdict)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(Document(runs: runs, load: load, figures: lines)).write(to: URL(fileURLWithPath: path))
    }
}
