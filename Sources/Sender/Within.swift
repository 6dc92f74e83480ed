import Synchronization

/// Does some work for at most a time, and answers the last value it has reported until then.
///
/// The work is cancelled when the time is over.
func within<Value: Sendable>(
    seconds: Double, _ work: @escaping @Sendable ((Value) -> Void) async -> Void
) async -> Value? {
    let latest = Latest<Value>()
    await withTaskGroup(of: Void.self) { group in
        group.addTask { await work { latest.value.withLock { [value = $0] in $0 = value } } }
        group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
        await group.next()
        group.cancelAll()
    }
    return latest.value.withLock { $0 }
}

private final class Latest<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
