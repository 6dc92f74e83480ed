internal import Casting

/// The items of a session in playing order, each with an id of its own, one of them current.
struct PlayQueue: Equatable, Sendable {
    /// The items in playing order.
    private(set) var items: [MediaItem] = []
    /// Where in `items` the current one is; nil when idle.
    private(set) var currentIndex: Int?
    private var lastNumber = 0

    /// An empty queue.
    init() {}

    /// The current item; nil when idle.
    var current: MediaItem? { currentIndex.map { items[$0] } }

    /// Whether an item follows the current one.
    var hasNext: Bool { currentIndex.map { $0 + 1 < items.count } ?? !items.isEmpty }

    /// The items after the current one; all of them when idle.
    var following: ArraySlice<MediaItem> { items[(currentIndex.map { $0 + 1 } ?? 0)...] }

    /// Replaces everything by one item, which becomes current.
    @discardableResult
    mutating func replace(by item: MediaItem) -> MediaItem {
        items = [named(item)]
        currentIndex = 0
        return items[0]
    }

    /// Puts items before the one of the given id, or at the end.
    /// - Throws: `notFound` where there is no such id, `invalidRequest` where an item's id is taken.
    mutating func insert(_ new: [MediaItem], before id: String?) throws(CastError) {
        var taken = Set(items.compactMap(\.id))
        for item in new {
            guard let id = item.id else { continue }
            guard taken.insert(id).inserted else {
                throw CastError(.invalidRequest, "The queue has an item with the id \(id) already.")
            }
        }
        let index = try id.map { id throws(CastError) in try position(of: id) } ?? items.count
        var named: [MediaItem] = []
        for item in new {
            var item = item
            if item.id == nil { item.id = freeID(besides: taken) }
            named.append(item)
        }
        items.insert(contentsOf: named, at: index)
        if let current = currentIndex, index <= current { currentIndex = current + named.count }
    }

    /// Takes an item out. If it was the current one, the item after it becomes current, if there is one.
    /// - Returns: whether it was the current one.
    /// - Throws: `notFound` where there is no such id.
    mutating func remove(_ id: String) throws(CastError) -> Bool {
        let index = try position(of: id)
        items.remove(at: index)
        guard let current = currentIndex else { return false }
        if index < current { currentIndex = current - 1 }
        guard index == current else { return false }
        currentIndex = current < items.count ? current : nil
        return true
    }

    /// Has an item come from another URL, with other headers where any are given.
    /// - Throws: `notFound` where there is no such id.
    mutating func renew(_ id: String, url: String, headers: [String: String]?) throws(CastError) {
        let index = try position(of: id)
        items[index].url = url
        if let headers { items[index].headers = headers }
    }

    /// Takes out everything but the current item.
    mutating func removeOthers() {
        items = current.map { [$0] } ?? []
        if currentIndex != nil { currentIndex = 0 }
    }

    /// Makes the next item current; the first one when idle.
    /// - Returns: it, or nil at the end, when the queue is left as it is.
    mutating func advance() -> MediaItem? {
        guard hasNext else { return nil }
        currentIndex = currentIndex.map { $0 + 1 } ?? 0
        return current
    }

    /// Makes the first item current, if there is one.
    mutating func goToFirst() -> MediaItem? {
        currentIndex = items.isEmpty ? nil : 0
        return current
    }

    /// Makes the item before current.
    /// - Returns: it, or nil at the start.
    mutating func goBack() -> MediaItem? {
        guard let index = currentIndex, index > 0 else { return nil }
        currentIndex = index - 1
        return current
    }

    /// Takes everything out.
    mutating func removeAll() {
        items = []
        currentIndex = nil
    }

    private func position(of id: String) throws(CastError) -> Int {
        guard let index = items.firstIndex(where: { $0.id == id }) else {
            throw CastError(.notFound, "There is no item with the id \(id) in the queue.")
        }
        return index
    }

    private mutating func named(_ item: MediaItem) -> MediaItem {
        var item = item
        if item.id == nil { item.id = freeID(besides: []) }
        return item
    }

    /// An id never given before, and not one of a sender's either.
    private mutating func freeID(besides taken: Set<String>) -> String {
        while true {
            lastNumber += 1
            let id = "item-\(lastNumber)"
            if !taken.contains(id), !items.contains(where: { $0.id == id }) { return id }
        }
    }
}
