/// What is to be seen after a seek: the picture at a position, or one near it.
struct SeekAim: Equatable, Sendable {
    /// Which picture it is.
    enum Kind: Equatable, Sendable {
        /// The one that is up at the position.
        case at
        /// The one after the one that is up at the position; where there is none, that one.
        case after
        /// The one before the one that begins at the position; where there is none, that one.
        case before
    }

    var kind = Kind.at
    /// How much earlier will do, in seconds.
    var toleranceBefore = 0.0
    /// How much later will do, in seconds.
    var toleranceAfter = 0.0

    /// The picture at the position, exactly.
    static let exact = SeekAim()

    /// Whether playback goes on at the very position.
    var isExact: Bool { self == .exact }
}
