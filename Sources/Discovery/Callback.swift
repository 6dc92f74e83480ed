/// A closure for C to call: the one place where a pointer to it is made, and read again.
///
/// Whoever hands the pointer out keeps the box alive for as long as C may use it.
final class Callback<Event> {
    /// What C told last; nil before it told anything.
    private(set) var latest: Event?
    private let handler: (Event) -> Void

    init(_ handler: @escaping (Event) -> Void) { self.handler = handler }

    /// What C is to hand back as its user data.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// What C told last does not hold any more.
    func forget() { latest = nil }

    /// Hands an event to the box behind C's user data.
    static func deliver(_ event: Event, to pointer: UnsafeMutableRawPointer?) {
        guard let pointer else { return }
        let callback = Unmanaged<Callback<Event>>.fromOpaque(pointer).takeUnretainedValue()
        callback.latest = event
        callback.handler(event)
    }
}
