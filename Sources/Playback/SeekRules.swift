internal import Casting

/// Where a seek or a skip goes, if anywhere.
struct SeekRules: Sendable {
    /// Where one may seek; nil before that is known.
    var seekable: [TimeRange]?
    /// Seconds from first to last; nil when unknown.
    var duration: Double?

    /// What becomes of a request.
    enum Verdict: Equatable {
        /// Go there.
        case go(to: Double)
        /// It is outside what can be reached.
        case outOfRange
    }

    /// A position this little past the end means the end: durations are often rounded.
    static let endTolerance = 1.0

    /// The rules of an item.
    init(seekable: [TimeRange]?, duration: Double?) {
        self.seekable = seekable
        self.duration = duration
    }

    /// Checks what can be checked before the item is known.
    /// - Throws: `invalidRequest` for a position or a tolerance that is no number, or a tolerance below 0.
    static func validate(_ request: SeekRequest) throws(CastError) {
        let tolerances = [request.toleranceBefore ?? 0, request.toleranceAfter ?? 0]
        guard request.position.isFinite, tolerances.allSatisfy({ $0 >= 0 }) else {
            throw CastError(
                .invalidRequest, "That is no position to seek to.",
                hint: "Give a position in seconds, and tolerances of 0 or more.")
        }
    }

    /// Whether, and where, a seek to `position` goes.
    /// - Throws: `operationNotSupported` where the media does not let one seek.
    func verdict(for position: Double) throws(CastError) -> Verdict {
        guard let seekable else { return position < 0 ? .outOfRange : .go(to: position) }
        guard !seekable.isEmpty else {
            throw CastError(
                .operationNotSupported, "This stream does not let one seek.",
                hint: "Its server gives it from the start only, or it is live.")
        }
        if seekable.contains(where: { $0.contains(position) }) { return .go(to: position) }
        if let duration, position > duration, position <= duration + Self.endTolerance { return .go(to: duration) }
        return .outOfRange
    }

    /// Where a skip by `seconds` goes: from where playback is already going to, else from where it is; never past an end.
    func skipTarget(by seconds: Double, position: Double, pendingTarget: Double?) -> Double {
        let target = (pendingTarget ?? position) + seconds
        guard let seekable, let first = seekable.first, let last = seekable.last else { return max(0, target) }
        return min(max(target, first.start), last.end)
    }
}
