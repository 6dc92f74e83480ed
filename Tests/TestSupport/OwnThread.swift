import Foundation
import Synchronization

/// Runs blocking work on a thread of its own, so that tests never take the threads that async code needs.
///
/// What the work holds is let go before its value is there: a network that it was the last to use is then gone, and not
/// only some time after the test that made it.
public func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let box = WorkBox(work)
    return try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: box.run()) }
    }
}

private final class WorkBox<Value: Sendable>: Sendable {
    private let work: Mutex<(@Sendable () throws -> Value)?>

    init(_ work: @escaping @Sendable () throws -> Value) { self.work = Mutex(work) }

    func run() -> Result<Value, any Error> {
        let taken = work.withLock { $0.take() }
        return Result { try taken!() }
    }
}
