/// A value that comes once, for anybody who waits for it: how threads answer async code.
final class Reply<Value: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Value, Never>])
        case given(Value)
    }

    private let state = Monitor(State.open([]))

    /// Gives the value, unless one was given before.
    /// - Returns: whether this was the first.
    @discardableResult
    func give(_ value: Value) -> Bool {
        let waiting: [CheckedContinuation<Value, Never>]? = state.withLock { state in
            guard case .open(let waiting) = state else { return nil }
            state = .given(value)
            return waiting
        }
        for continuation in waiting ?? [] { continuation.resume(returning: value) }
        return waiting != nil
    }

    /// Whether the value is there.
    var isGiven: Bool {
        state.withLock { if case .given = $0 { true } else { false } }
    }

    /// The value, if it comes within so many seconds.
    func value(within seconds: Double) async -> Value? {
        let first = Reply<Value?>()
        let timer = Task {
            try? await Task.sleep(for: .seconds(seconds))
            first.give(nil)
        }
        Task { first.give(await value) }
        defer { timer.cancel() }
        return await first.value
    }

    /// The value, once it is there. Whoever makes a reply sees to it that one comes, and within what time.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let given: Value? = state.withLock { state in
                    switch state {
                    case .given(let value): return value
                    case .open(let waiting):
                        state = .open(waiting + [continuation])
                        return nil
                    }
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }
}
