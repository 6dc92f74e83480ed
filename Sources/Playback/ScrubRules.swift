internal import Casting

/// Decides how seeks that follow one another quickly are carried out: a held key, a finger on a bar.
struct ScrubRules: Sendable {
    /// One seek of several.
    struct Ticket: Equatable, Sendable {
        fileprivate var number: Int
        /// Whether a key frame near the place will do until there is rest.
        var isQuick: Bool
    }

    /// Seconds that a seek waits at most for the one before it to show its picture, as mpv does.
    static let patience = 0.3
    /// Seconds after a quick picture within which no further seek comes before the exact one is shown.
    static let rest = 0.2
    /// Skips that follow one another within this many seconds come from a key that is held.
    static let held = 0.35
    /// What will do for a quick picture.
    static let quick = SeekAim(toleranceBefore: 10)

    /// Where the latest is to go; nil when it has got there.
    private(set) var wanted: Double?
    private var latest = 0
    private var lastTime: HostTime?

    /// Rules for which nothing has been asked yet.
    init() {}

    /// Takes another one, which takes the place of those before it.
    /// - Parameter looksAround: whether it is known that more will follow.
    mutating func take(_ position: Double, looksAround: Bool, at now: HostTime) -> Ticket {
        let isHeld = lastTime.map { now.seconds(since: $0) < Self.held } ?? false
        lastTime = now
        latest += 1
        wanted = position
        return Ticket(number: latest, isQuick: looksAround || isHeld)
    }

    /// Whether none came after it.
    func isLatest(_ ticket: Ticket) -> Bool { ticket.number == latest && wanted != nil }

    /// Notes that one has come to where it was to go, or never will.
    mutating func finish(_ ticket: Ticket) {
        if ticket.number == latest { wanted = nil }
    }

    /// Gives up those there are: something else was asked for.
    mutating func abandon() {
        latest += 1
        wanted = nil
    }
}
