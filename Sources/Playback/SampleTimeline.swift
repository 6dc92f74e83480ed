/// Which item time each sample in the ring belongs to: stretches in which item time rises evenly with the samples.
struct SampleTimeline: Sendable {
    /// A stretch of samples, up to the next one's start.
    struct Stretch: Equatable, Sendable {
        /// Its first frame, counted as the ring counts.
        var frame: Int
        /// The item time of that frame.
        var time: Double
        /// Seconds of item time a second of samples: the rate they were made for.
        var rate: Double
    }

    private let sampleRate: Double
    private(set) var stretches: [Stretch] = []

    /// An empty timeline of a ring of `sampleRate` frames a second.
    init(sampleRate: Int) {
        self.sampleRate = Double(sampleRate)
    }

    /// Notes that from `frame` on, samples begin at item `time` and advance at `rate`.
    mutating func append(frame: Int, time: Double, rate: Double) {
        // What follows on without a seam (an error under a sample's worth) needs no stretch of its own.
        if let last = stretches.last, last.rate == rate, abs(self.time(of: Double(frame), in: last) - time) < 0.000_02 {
            return
        }
        stretches.append(Stretch(frame: frame, time: time, rate: rate))
    }

    /// The item time of a frame, and the rate there; nil before the first stretch.
    func time(ofFrame frame: Double) -> (time: Double, rate: Double)? {
        guard let first = stretches.first else { return nil }
        let stretch = stretches.last { Double($0.frame) <= frame } ?? first
        return (time(of: frame, in: stretch), stretch.rate)
    }

    /// Forgets what is from `frame` on, where samples are to be made anew.
    mutating func cut(at frame: Int) {
        stretches.removeAll { $0.frame >= frame }
    }

    /// Forgets stretches that end before `frame`.
    mutating func forget(before frame: Int) {
        guard let current = stretches.lastIndex(where: { $0.frame <= frame }), current > 0 else { return }
        stretches.removeFirst(current)
    }

    private func time(of frame: Double, in stretch: Stretch) -> Double {
        stretch.time + (frame - Double(stretch.frame)) / sampleRate * stretch.rate
    }
}
