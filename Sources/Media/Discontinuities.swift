/// Keeps item time running where a stream's clock jumps: joined recordings, inserted advertisements, a sender's restart.
struct Discontinuities {
    /// Seconds of a step forward that may still be a gap in the recording.
    static let forward = 10.0
    /// Seconds of a step backward that may still be disorder in the container.
    static let backward = 1.0

    private var ends: [Int: Double] = [:]
    private var shifts: [Int: Double] = [:]
    /// The shift found last: the streams jump together, but their packets come one after the other.
    private var latest = 0.0

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
                if abs(time + latest - end) > Self.backward { latest = end - time }
                shift = latest
            }
        }
        shifts[stream] = shift
        ends[stream] = time + shift + duration
        return shift
    }
}
