/// Throws away the pictures before a seek's target, and keeps the one that is to be seen at the target.
///
/// That is the last one to begin at or before it, so it may only be known once the next one comes, or the end.
struct LandingFilter<Picture> {
    private let target: Double
    private let tolerance: Double
    private let kind: SeekAim.Kind
    private var candidate: Picture?
    private(set) var hasLanded = false

    /// A filter for a target in item time, with what two times may differ and still be the same.
    init(target: Double, tolerance: Double, kind: SeekAim.Kind = .at) {
        self.target = target
        self.tolerance = tolerance
        self.kind = kind
    }

    /// Passes a picture on, or keeps it.
    /// - Returns: the pictures to be shown, in order.
    mutating func pass(_ picture: Picture, time: Double, duration: Double) -> [Picture] {
        if hasLanded { return [picture] }
        switch kind {
        case .at where time <= target + tolerance:
            guard time + duration > target + tolerance else {
                candidate = picture
                return []
            }
            candidate = nil
        case .after where time <= target + tolerance, .before where time < target - tolerance:
            candidate = picture
            return []
        case .after:
            candidate = nil
        case .at, .before: break
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

    /// Gives up the way to the target: whatever picture comes next is shown.
    mutating func giveUp() {
        hasLanded = true
        candidate = nil
    }

    /// Whether a packet of that time cannot be the one to be seen at the target.
    ///
    /// - Parameter seen: the time of the one to be seen there; nil while it is not known. Then only what lies well
    ///   before the target is sure to be none.
    func isFar(_ time: Double?, seen: Double? = nil) -> Bool {
        guard !hasLanded, let time else { return false }
        if kind == .at, let seen { return time < seen - tolerance }
        return time < target - 0.5
    }
}
