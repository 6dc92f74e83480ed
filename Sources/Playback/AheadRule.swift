/// When the next item of a queue is opened ahead of its turn, and when what was opened is given up again.
///
/// Early enough that a slow server does no harm; not so early that a film holds a connection and memory for the next one
/// for an hour. Best while the network is idle, once the current item has been read to its end.
enum AheadRule {
    /// Seconds before the end, by the clock, at which it is opened in any case.
    static let lead = 20.0
    /// The same where the current item has been read to its end.
    static let idleLead = 60.0
    /// Seconds beyond these at which what was opened is given up, after a seek back.
    static let slack = 15.0

    /// What is known of the item that plays.
    struct Outlook: Equatable, Sendable {
        /// Seconds of item time to its end; nil where unknown, or without end.
        var remaining: Double?
        /// Whether it has been read to its end.
        var isRead = false
        /// The rate it is to be played at; 0 while paused.
        var rate = 1.0
        /// Whether it cannot be played.
        var hasFailed = false
    }

    /// Whether to open the next item.
    static func opens(_ outlook: Outlook) -> Bool {
        guard !outlook.hasFailed, let seconds = seconds(outlook) else { return false }
        return seconds <= (outlook.isRead ? idleLead : lead)
    }

    /// Whether to keep the next item, which is open.
    static func keeps(_ outlook: Outlook) -> Bool {
        guard !outlook.hasFailed else { return true }
        guard let seconds = seconds(outlook) else { return outlook.isRead }
        return seconds <= idleLead + slack
    }

    private static func seconds(_ outlook: Outlook) -> Double? {
        outlook.remaining.map { $0 / (outlook.rate > 0 ? outlook.rate : 1) }
    }
}
