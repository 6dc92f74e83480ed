/// Keeps item time running where a stream's clock jumps: joined recordings, inserted advertisements, a sender's restart.
struct Discontinuities {
    /// Seconds of a step forward that may still be a gap in the recording.
    static let forward = 10.0
    /// Seconds of a step backward that may still be disorder in the container.
    static let backward = 1.0

    private var ends: [Int: Double] = [:]
    private var shifts: [Int: Double] = [:]
    /// The shift found last: the streams jump together, but their packets come one after the other.
    private(set) var latest: Double
    /// The item time that has been come to.
    private(set) var reached = 0.0

    /// For a clock that is `shift` seconds behind item time at first.
    init(shift: Double = 0) {
        latest = shift
    }

    /// What to add to a packet's times, in seconds.
    ///
    /// - Parameters:
    ///   - stream: the stream's number.
    ///   - time: by the container's clock, not falling within a stream.
    ///   - duration: how long the packet lasts.
    mutating func shift(stream: Int, time: Double, duration: Double) -> Double {
        var shift = shifts[stream] ?? latest
        if let end = ends[stream] {
            let step = time + shift - end
            if step > Self.forward || step < -Self.backward {
                // The first stream to jump takes the others along; it goes on where the longest of them ends.
                if abs(time + latest - end) > Self.backward { latest = max(end, ends.values.max() ?? end) - time }
                shift = latest
            }
        }
        shifts[stream] = shift
        ends[stream] = time + shift + duration
        reached = max(reached, time + shift + duration)
        return shift
    }
}

/// The stretches of a recording whose clock jumps, in their order: where each begins.
struct ClockStretches {
    /// A stretch in which the clock runs evenly.
    struct Stretch: Equatable {
        /// The item time it begins at.
        var start: Double
        /// The byte it begins at.
        var position: Int64
        /// What is to be added to its clock for item time, in seconds.
        var shift: Double
    }

    private(set) var known = [Stretch(start: 0, position: 0, shift: 0)]

    /// Notes where a further stretch begins; of one that is known already nothing is noted.
    mutating func note(_ stretch: Stretch) {
        guard let last = known.last, stretch.position > last.position, stretch.start > last.start else { return }
        known.append(stretch)
    }

    /// The stretch of an item time, and where the next one begins; nil where there is one only, or it is the first.
    func stretch(at time: Double) -> (stretch: Stretch, next: Stretch?)? {
        guard let place = known.lastIndex(where: { $0.start <= time }), place > 0 else { return nil }
        return (known[place], place + 1 < known.count ? known[place + 1] : nil)
    }

    /// The byte to begin at for `time`, by an even spread of bytes over time.
    ///
    /// - Parameters:
    ///   - end: item time and byte of the end of the media, for the last stretch.
    static func position(
        at time: Double, in stretch: Stretch, until end: (time: Double, position: Int64)
    ) -> Int64 {
        let part = (time - stretch.start) / max(0.001, end.time - stretch.start)
        let bytes = Double(end.position - stretch.position)
        return stretch.position + Int64(max(0, min(1, part)) * max(0, bytes))
    }
}
