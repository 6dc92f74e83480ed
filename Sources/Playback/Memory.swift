/// A block of memory at a fixed address, freed with its last reference.
///
/// For what must not move: pthread's objects, and samples shared with a device's thread. It protects nothing; whoever
/// uses it says which thread may touch which element when.
// Unchecked: a private box for a pointer; its users guard what it points to.
final class Memory<Element>: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Element>
    let count: Int

    init(repeating element: Element, count: Int) {
        self.count = count
        pointer = .allocate(capacity: count)
        pointer.initialize(repeating: element, count: count)
    }

    deinit {
        pointer.deinitialize(count: count)
        pointer.deallocate()
    }
}
