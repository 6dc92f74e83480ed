import Casting

/// The events of a session, numbered from 1, the latest of them kept.
struct EventLog: Sendable {
    /// An event with its number.
    struct Entry: Sendable {
        var id: Int
        var event: Event
    }

    private let limit: Int
    private var entries: [Entry] = []
    private(set) var lastID: Int

    /// A log that keeps at least the latest `limit` events, the first of them numbered after `lastID`.
    init(limit: Int, lastID: Int = 0) {
        self.limit = limit
        self.lastID = lastID
    }

    mutating func append(_ event: Event) {
        lastID += 1
        entries.append(Entry(id: lastID, event: event))
        // Trimmed by half at a time: appending stays cheap.
        if entries.count >= 2 * limit { entries.removeFirst(entries.count - limit) }
    }

    /// Whether every event after that one is still there.
    func reaches(after id: Int) -> Bool {
        guard id >= 0, id <= lastID else { return false }
        return id == lastID || (entries.first.map { $0.id <= id + 1 } ?? false)
    }

    /// The event after that one; nil where there is none yet.
    func entry(after id: Int) -> Entry? {
        guard let first = entries.first, id < lastID, id + 1 >= first.id else { return nil }
        return entries[id + 1 - first.id]
    }
}
