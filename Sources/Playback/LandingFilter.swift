/// Throws away the pictures before a seek's target, and keeps the one that is to be seen at the target.
///
/// That is the last one to begin at or before it, so it may only be known once the next one comes, or the end.
struct LandingFilter<Picture> {
    private let target: Double
    private let tolerance: Double
    private var candidate: Picture?
    private var hasLanded = false

    /// A filter for a target in item time, with what two times may differ and still be the same.
    init(target: Double, tolerance: Double) {
        self.target = target
        self.tolerance = tolerance
    }

    /// Passes a picture on, or keeps it.
    /// - Returns: the pictures to be shown, in order.
    mutating func pass(_ picture: Picture, time: Double, duration: Double) -> [Picture] {
        if hasLanded { return [picture] }
        if time <= target + tolerance {
            guard time + duration > target + tolerance else {
                candidate = picture
                return []
            }
            hasLanded = true
            candidate = nil
            return [picture]
        }
        hasLanded = true
        defer { candidate = nil }
        return [candidate, picture].compactMap(\.self)
    }

    /// Ends the stream: the last picture before the target is the one to be seen there.
    ///
    /// - Parameter isComplete: whether the stream has no more; what broke off on its way to the target has none for it.
    mutating func finish(isComplete: Bool) -> [Picture] {
        defer { candidate = nil }
        guard !hasLanded, isComplete, let candidate else { return [] }
        hasLanded = true
        return [candidate]
    }

    /// Whether a packet of that time is so long before the target that its picture cannot be the one.
    func isFar(_ time: Double?) -> Bool {
        guard !hasLanded, let time else { return false }
        return time < target - 0.5
    }
}
