public import Casting

/// Has sound play at another rate with its pitch kept, and makes anew what was made for the rate before.
///
/// What it was given last is kept for a while. So a change of the rate can be heard at once, although much has been made
/// ahead for the old one: `change` begins again at the item time of a sample not yet played. Used by one thread at a time.
public final class SpeedChanger {
    /// Item time that is kept, in seconds: as much as a full ring of 0.4 s holds at the highest rate, and some more.
    static let memory = 1.25
    /// Seconds over which the old sound fades into the new.
    static let fade = 0.005
    /// Seconds by which the new sound may be shifted so that its wave goes on where the old one is.
    static let reach = 0.008

    /// Seconds of item time a second of samples.
    public private(set) var rate: Double
    private let sampleRate: Int
    private let channelCount: Int
    private var past: [AudioChunk] = []
    private var graph: TempoGraph?
    /// Item time of the next sample out of `graph`, and of the next one expected in.
    private var outTime = 0.0
    private var inTime: Double?
    private var isDrained = false

    /// One that plays at `rate`; values outside 0.5 to 2 are clamped.
    public init(sampleRate: Int, channelCount: Int, rate: Double = 1) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.rate = Self.clamp(rate)
    }

    /// Takes the next samples, made for rate 1, and gives what they become; nil where nothing comes out yet.
    public func process(_ chunk: AudioChunk) throws(CastError) -> AudioChunk? {
        past.append(chunk)
        if let newest = past.last?.endTime {
            while past.count > 1, past[0].endTime < newest - Self.memory { past.removeFirst() }
        }
        return try play(chunk)
    }

    /// What is still inside, after the last samples.
    public func drain() throws(CastError) -> AudioChunk? {
        isDrained = true
        guard let graph else { return nil }
        self.graph = nil
        var samples = try graph.drain()
        // The filter fills its last window up; what was put in ends where it ends.
        if let inTime {
            let left = max(0, Int(((inTime - outTime) / rate * Double(sampleRate)).rounded())) * channelCount
            if samples.count > left { samples.removeLast(samples.count - left) }
        }
        return chunk(samples)
    }

    /// Forgets everything, for samples from another place, to play at `rate`.
    public func reset(rate: Double) {
        self.rate = Self.clamp(rate)
        past = []
        graph = nil
        inTime = nil
        isDrained = false
    }

    /// Changes the rate.
    ///
    /// - Parameters:
    ///   - rate: 0.5 to 2; values outside are clamped.
    ///   - time: the item time from which on to begin again.
    ///   - old: what was made for that time on at the old rate, interleaved; the new sound takes over from its wave.
    /// - Returns: all that has been made from about `time` on, for the new rate; nil where there is nothing.
    public func change(to rate: Double, from time: Double, over old: [Float]) throws(CastError) -> AudioChunk? {
        self.rate = Self.clamp(rate)
        graph = nil
        inTime = nil
        let wasDrained = isDrained
        isDrained = false
        let start = seam(at: time, old: old)
        var made: AudioChunk?
        for chunk in past where chunk.endTime > start {
            var chunk = chunk
            chunk.trim(before: start)
            join(&made, try play(chunk))
        }
        if wasDrained { join(&made, try drain()) }
        guard var made else { return nil }
        blend(&made.samples, with: old)
        return made
    }

    private static func clamp(_ rate: Double) -> Double {
        min(max(rate, PlaybackState.rates.lowerBound), PlaybackState.rates.upperBound)
    }

    private func chunk(_ samples: [Float]) -> AudioChunk? {
        guard !samples.isEmpty else { return nil }
        let chunk = AudioChunk(
            samples: samples, channelCount: channelCount, sampleRate: sampleRate, time: outTime, rate: rate)
        outTime = chunk.endTime
        return chunk
    }

    private func play(_ chunk: AudioChunk) throws(CastError) -> AudioChunk? {
        defer { inTime = chunk.endTime }
        guard rate != 1 else { return chunk.frameCount > 0 ? chunk : nil }
        if graph == nil {
            graph = try TempoGraph(sampleRate: sampleRate, channelCount: channelCount, tempo: rate)
            outTime = chunk.time
        } else if let inTime {
            // Containers round their times; what the difference adds up to is not lost.
            outTime += chunk.time - inTime
        }
        return self.chunk(try graph?.process(chunk.samples) ?? [])
    }

    private func join(_ made: inout AudioChunk?, _ next: AudioChunk?) {
        guard let next else { return }
        if made == nil { made = next } else { made?.samples += next.samples }
    }

    // MARK: The seam

    /// The item time near `time` whose wave is most like the old samples.
    private func seam(at time: Double, old: [Float]) -> Double {
        let length = min(old.count / channelCount, Int(Self.fade * Double(sampleRate)))
        let reach = Int(Self.reach * Double(sampleRate))
        guard length > 16, let first = past.first(where: { $0.endTime > time }) else { return time }
        let begin = first.time + ((time - first.time) * Double(sampleRate)).rounded() / Double(sampleRate)
        let kept = mono(from: begin - Double(reach) / Double(sampleRate), count: length + 2 * reach)
        guard kept.count == length + 2 * reach else { return begin }
        let wave = (0..<length).map { frame in
            (0..<channelCount).reduce(Float(0)) { $0 + old[frame * channelCount + $1] }
        }
        let shift = Alignment.best(of: wave, in: kept, middle: reach)
        return begin + Double(shift) / Double(sampleRate)
    }

    /// All channels together of what is kept, from an item time on; empty where that is not all there.
    private func mono(from time: Double, count: Int) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(count)
        for chunk in past where chunk.endTime > time && result.count < count {
            let skip = result.isEmpty ? Int(((time - chunk.time) * Double(sampleRate)).rounded()) : 0
            guard skip >= 0 else { return [] }
            for frame in min(skip, chunk.frameCount)..<chunk.frameCount where result.count < count {
                result.append((0..<channelCount).reduce(Float(0)) { $0 + chunk.samples[frame * channelCount + $1] })
            }
        }
        return result
    }

    /// Fades from the old samples into the new ones.
    private func blend(_ samples: inout [Float], with old: [Float]) {
        let length = min(samples.count, old.count, Int(Self.fade * Double(sampleRate)) * channelCount) / channelCount
        for frame in 0..<length {
            let part = Float(frame + 1) / Float(length + 1)
            for index in frame * channelCount..<(frame + 1) * channelCount {
                samples[index] = old[index] * (1 - part) + samples[index] * part
            }
        }
    }
}

/// Where a wave is found again in another.
enum Alignment {
    /// The shift from `middle` at which `samples` are most like `wave`, by normalised correlation; 0 where nothing is.
    static func best(of wave: [Float], in samples: [Float], middle: Int) -> Int {
        let length = wave.count
        guard length > 0, samples.count >= length else { return 0 }
        var best = (score: Float(0.05), shift: 0)
        let offsets = 0...(samples.count - length)
        // From the middle outwards: among equals the nearest is right.
        for offset in offsets.sorted(by: { abs($0 - middle) < abs($1 - middle) }) {
            var product: Float = 0
            var energy: Float = 0
            for index in 0..<length {
                product += wave[index] * samples[offset + index]
                energy += samples[offset + index] * samples[offset + index]
            }
            guard product > 0, energy > 0 else { continue }
            let score = product / energy.squareRoot()
            if score > best.score * 1.001 { best = (score, offset - middle) }
        }
        return best.shift
    }
}
