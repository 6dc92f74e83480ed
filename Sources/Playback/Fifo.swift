/// A queue: first in, first out, both in constant time on average.
struct Fifo<Element> {
    private var storage: [Element?] = []
    private var head = 0

    /// An empty queue.
    init() {}

    /// How many are in it.
    var count: Int { storage.count - head }

    /// Whether there are none.
    var isEmpty: Bool { count == 0 }

    /// The one that comes out next.
    var first: Element? { isEmpty ? nil : storage[head] }

    /// Puts one at the end.
    mutating func append(_ element: Element) { storage.append(element) }

    /// Puts one back, to come out next.
    mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            storage[head] = element
        } else {
            storage.insert(element, at: 0)
        }
    }

    /// Takes the first out.
    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = storage[head]
        storage[head] = nil
        head += 1
        if head > 32, head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Takes all out.
    mutating func removeAll() {
        storage.removeAll()
        head = 0
    }
}
