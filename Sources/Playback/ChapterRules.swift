internal import Casting

/// Where the next chapter and the one before it are.
struct ChapterRules: Equatable, Sendable {
    /// Seconds into a chapter from which on the way back leads to its own start.
    static let returnTime = 3.0

    /// Seconds by which the picture of a chapter's start may lie before it.
    static let tolerance = 0.12

    var chapters: [Chapter]

    /// Where the chapter after the present one begins.
    /// - Throws: `operationNotSupported` where there is none.
    func next(after position: Double) throws(CastError) -> Double {
        guard !chapters.isEmpty else { throw Self.none }
        guard let next = chapters.first(where: { $0.start > position + Self.tolerance }) else {
            throw CastError(.operationNotSupported, "This is the last chapter.")
        }
        return next.start
    }

    /// Where the present chapter begins, or the one before it where it has only just begun.
    /// - Throws: `operationNotSupported` where there are no chapters.
    func previous(before position: Double) throws(CastError) -> Double {
        guard !chapters.isEmpty else { throw Self.none }
        return chapters.last { $0.start <= position - Self.returnTime }?.start ?? 0
    }

    private static var none: CastError {
        CastError(.operationNotSupported, "There are no chapters in what is playing.")
    }
}
