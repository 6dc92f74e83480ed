/// Streams that are held in case somebody changes to them, such as the sounds of other languages. How full they are says
/// nothing of how long playback can go on, but their bytes count.
extension PacketBuffer {
    /// Seconds that playback may lag behind what was taken for it: the ring's, a decoder's, and some to spare.
    static var lag: Double { 2 }

    /// Whether it holds, or would hold, a stream.
    func holds(_ stream: Int) -> Bool { lanes[stream] != nil }

    /// Holds these streams from now on; of those that stay, what was held is kept.
    mutating func hold(_ streams: Set<Int>) {
        for stream in lanes.keys where !streams.contains(stream) { lanes[stream] = nil }
        for stream in streams where lanes[stream] == nil { lanes[stream] = PacketLane() }
        passive.formIntersection(streams)
        updateFullness()
    }

    /// From now on one of some alternatives is taken, from an item time on.
    mutating func take(_ stream: Int, of alternatives: Set<Int>, from time: Double) {
        passive = alternatives.intersection(lanes.keys).subtracting([stream])
        if let lane = lanes[stream] { lanes[stream]?.go(to: lane.lastPlace(at: time - Self.preroll) ?? lane.first) }
        updateFullness()
    }

    /// Lets what playback has passed of the streams that nobody takes from lie behind.
    mutating func pass(_ time: Double) {
        for stream in passive { lanes[stream]?.pass(time - Self.lag) }
    }
}

extension PacketLane {
    /// Takes out what begins before an item time.
    mutating func pass(_ time: Double) {
        while !isDry, nextTime ?? -.infinity < time { _ = pop() }
    }
}
