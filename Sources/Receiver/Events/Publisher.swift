public import Casting
import Synchronization

/// Passes on what the player says: to the session's hub, to observers within the program, and as availability to whoever
/// asks.
final class Publisher: Sendable {
    private struct Content {
        var hub: EventHub?
        var availability: AvailabilityDocument
        var isFinished = false
        var observers: [Int: AsyncStream<Event>.Continuation] = [:]
        var watchers: [Int: AsyncStream<AvailabilityDocument>.Continuation] = [:]
        var nextKey = 0
    }

    private let content: Mutex<Content>

    init(state: PlaybackState) {
        content = Mutex(
            Content(availability: AvailabilityDocument(availability: state.availability, currentSender: nil)))
    }

    var availability: AvailabilityDocument { content.withLock { $0.availability } }

    func publish(_ event: Event) {
        let (hub, observers) = content.withLock { ($0.hub, Array($0.observers.values)) }
        hub?.publish(event)
        for observer in observers { observer.yield(event) }
        if case .state(let state) = event { change { $0.availability = state.availability } }
    }

    /// From now on events go to `hub`, which belongs to a session of `sender`; nil for nobody's.
    func attach(_ hub: EventHub?, of sender: String?) {
        content.withLock { $0.hub = hub }
        change { $0.currentSender = sender }
    }

    /// Tells observers within the program, not the session.
    func notify(_ event: Event) {
        for observer in content.withLock({ Array($0.observers.values) }) { observer.yield(event) }
    }

    private func change(_ apply: (inout AvailabilityDocument) -> Void) {
        // Yielding under the lock keeps the order; it only puts the value into a buffer.
        content.withLock { content in
            let before = content.availability
            apply(&content.availability)
            guard content.availability != before else { return }
            for watcher in content.watchers.values { watcher.yield(content.availability) }
        }
    }

    func observe() -> AsyncStream<Event> { subscribe(.bufferingNewest(1_024), among: \.observers) }

    func watchAvailability() -> AsyncStream<AvailabilityDocument> {
        subscribe(.bufferingNewest(1), among: \.watchers) { $0.availability }
    }

    /// A stream of what its kind of listeners hears, beginning with what `first` finds.
    private func subscribe<Element: Sendable>(
        _ policy: AsyncStream<Element>.Continuation.BufferingPolicy,
        among listeners: any WritableKeyPath<Content, [Int: AsyncStream<Element>.Continuation]> & Sendable,
        first: (Content) -> Element? = { _ in nil }
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
        let key = content.withLock { content -> Int? in
            if let value = first(content) { continuation.yield(value) }
            guard !content.isFinished else { return nil }
            content.nextKey += 1
            content[keyPath: listeners][content.nextKey] = continuation
            return content.nextKey
        }
        guard let key else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.content.withLock { $0[keyPath: listeners][key] = nil }
        }
        return stream
    }

    /// Ends every stream.
    func finish() {
        let (observers, watchers) = content.withLock { content in
            content.isFinished = true
            return (Array(content.observers.values), Array(content.watchers.values))
        }
        for observer in observers { observer.finish() }
        for watcher in watchers { watcher.finish() }
    }
}

extension PlaybackState {
    /// Whether a receiver in this state is free: nothing is current, or what is has failed.
    public var availability: Availability {
        guard let item, item.status != .failed else { return .idle }
        return .busy
    }
}
