/// Samples ready for the device, and where they are in the item.
public struct AudioChunk: Sendable {
    /// The samples of all channels, interleaved.
    public var samples: [Float]
    /// Channels.
    public let channelCount: Int
    /// Samples a second of each channel.
    public let sampleRate: Int
    /// Item time of the first sample, in seconds.
    public var time: Double
    /// Seconds of item time a second of these samples: the rate at which they play.
    public let rate: Double

    /// A chunk of interleaved samples.
    public init(samples: [Float], channelCount: Int, sampleRate: Int, time: Double, rate: Double = 1) {
        self.samples = samples
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        self.time = time
        self.rate = rate
    }

    /// Samples of each channel.
    public var frameCount: Int { samples.count / channelCount }

    /// Item time just after the last sample, in seconds.
    public var endTime: Double { time(at: frameCount) }

    /// Item time of a sample.
    public func time(at frame: Int) -> Double { time + Double(frame) * rate / Double(sampleRate) }

    /// Leaves out the samples before `start`, item time in seconds.
    public mutating func trim(before start: Double) {
        let count = min(frameCount, Int(((start - time) * Double(sampleRate) / rate).rounded()))
        guard count > 0 else { return }
        time = time(at: count)
        samples.removeFirst(count * channelCount)
    }
}
