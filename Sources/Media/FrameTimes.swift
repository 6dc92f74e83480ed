/// Gives every frame of a stream a time, also where the media leaves some out.
struct FrameTimes {
    /// Seconds a frame is taken to last where nothing says so.
    let usualDuration: Double
    private var next: Double?

    /// - Parameter usualDuration: seconds of a frame.
    init(usualDuration: Double) {
        self.usualDuration = usualDuration
    }

    /// The time of the next frame.
    ///
    /// - Parameters:
    ///   - time: seconds by the media's word; nil where it says nothing.
    ///   - duration: seconds the frame lasts; nil where not known.
    mutating func place(_ time: Double?, duration: Double?) -> Double {
        let placed = time ?? next ?? 0
        next = placed + (duration ?? usualDuration)
        return placed
    }

    /// Goes on at another place.
    mutating func restart(at time: Double? = nil) {
        next = time
    }
}
