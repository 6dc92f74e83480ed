import Foundation

/// Lets only so many houses be open at a time as the machine can serve well.
actor Admission {
    static let shared = Admission(places: max(2, ProcessInfo.processInfo.activeProcessorCount))

    /// A place in the machine, given back with the last reference.
    final class Leave: Sendable {
        private let admission: Admission
        fileprivate init(_ admission: Admission) { self.admission = admission }
        deinit { Task { [admission] in await admission.leave() } }
    }

    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private init(places: Int) { self.places = places }

    /// Waits for a place.
    func enter() async -> Leave {
        if places > 0 { places -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
        return Leave(self)
    }

    private func leave() {
        if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
    }
}
