/// Gives every frame of a stream a time, also where the media leaves some out.
struct FrameTimes {
    /// Seconds a frame is taken to last where nothing says so.
    let usualDuration: Double
    /// The part of its duration after which a frame follows whose time lies before that of the one before it: a little
    /// early, so that times find back to what the media says.
    static let catchingUp = 0.75

    private var next: Double?
    private var last: Double?

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
        var placed = time ?? next ?? 0
        if let last, placed <= last { placed = last + Self.catchingUp * (duration ?? usualDuration) }
        last = placed
        next = placed + (duration ?? usualDuration)
        return placed
    }

    /// Goes on at another place.
    mutating func restart(at time: Double? = nil) {
        next = time
        last = nil
    }
}
