/// One line of the table: what is measured of every player.
struct Figure: Sendable {
    /// Its name on the command line, in the JSON and in the thresholds.
    var id: String
    var title: String
    var unit: String
    /// Places after the point.
    var places = 0

    /// All figures, in the table's order.
    static let all: [Figure] = [
        Figure(id: "load-720p30", title: "Load request to first picture, warm, 720p30", unit: "ms"),
        Figure(id: "load-1080p60", title: "Load request to first picture, warm, 1080p60", unit: "ms"),
        Figure(id: "cold", title: "Command to first picture, peers started for it", unit: "ms"),
        Figure(id: "seek-median", title: "Exact seek in what is not loaded, median", unit: "ms"),
        Figure(id: "seek-p90", title: "Exact seek in what is not loaded, 90 % within", unit: "ms"),
        Figure(id: "seek-landing", title: "… off the asked picture by at most", unit: "frames"),
        Figure(id: "loaded-seek-median", title: "Exact seek in what is loaded, median", unit: "ms"),
        Figure(id: "loaded-seek-p90", title: "Exact seek in what is loaded, 90 % within", unit: "ms"),
        Figure(id: "loaded-seek-requests", title: "… requests made for them", unit: ""),
        Figure(id: "cpu-720p30", title: "Processor, 720p30 H.264", unit: "% of a core", places: 1),
        Figure(id: "cpu-1080p60", title: "Processor, 1080p60 H.264", unit: "% of a core", places: 1),
        Figure(id: "cpu-hevc", title: "Processor, 1080p24 HEVC 10 bit", unit: "% of a core", places: 1),
        Figure(id: "unseen-720p30", title: "Frames never seen, 720p30", unit: "‰", places: 1),
        Figure(id: "unseen-1080p60", title: "Frames never seen, 1080p60", unit: "‰", places: 1),
        Figure(id: "sync-mean", title: "Video − audio, 720p30, mean", unit: "ms", places: 1),
        Figure(id: "sync-worst", title: "Video − audio, 720p30, farthest from 0", unit: "ms", places: 1),
        Figure(id: "memory-720p30", title: "Peak memory, 720p30", unit: "MB"),
        Figure(id: "memory-1080p60", title: "Peak memory, 1080p60", unit: "MB"),
        Figure(id: "paused-wakeups", title: "Paused: wake-ups", unit: "/s", places: 1),
        Figure(id: "paused-cpu", title: "Paused: processor", unit: "% of a core", places: 2),
    ]
}

/// Several readings of one figure.
struct Readings: Sendable {
    var values: [Double] = []

    var median: Double { percentile(0.5) }
    var least: Double { values.min() ?? .nan }
    var greatest: Double { values.max() ?? .nan }

    /// The value that so much of the readings do not exceed; the mean of two where it falls between them.
    func percentile(_ share: Double) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.last else { return .nan }
        let place = share * Double(sorted.count - 1)
        let index = Int(place)
        guard index + 1 < sorted.count else { return last }
        return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
    }
}

/// What has been measured so far.
struct Results {
    private(set) var readings: [String: [(player: String, readings: Readings)]] = [:]

    /// Adds readings of a figure.
    mutating func add(_ id: String, _ player: String, _ values: [Double]) {
        var list = readings[id] ?? []
        if let index = list.firstIndex(where: { $0.player == player }) {
            list[index].readings.values += values
        } else {
            list.append((player, Readings(values: values)))
        }
        readings[id] = list
    }

    /// Takes each player's first reading of a figure away: what is done for the first time is not what is measured.
    mutating func dropFirst(of id: String) {
        for index in (readings[id] ?? []).indices { readings[id]?[index].readings.values.removeFirst() }
    }
}
