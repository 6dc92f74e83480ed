import FoundationEssentials
import Synchronization

/// One request from its first line to the end of its answer.
final class ServerExchange: Sendable {
    /// How far it has come.
    enum Phase {
        case begun
        case receiving
        case waiting(Task<Void, Never>?)
        case answered(HTTPResponse)
        case done
    }

    private struct State {
        var phase = Phase.begun
        var request: HTTPRequest?
        var isTooLarge = false
    }

    /// The request's target as sent.
    let target: String
    /// Where it came from.
    let connection: ServerConnection
    private let state = Mutex(State())

    init(target: String, connection: ServerConnection) {
        self.target = target
        self.connection = connection
    }

    /// How far it has come.
    var phase: Phase { state.withLock(\.phase) }

    /// Whether the body outgrew its limit.
    var isTooLarge: Bool { state.withLock(\.isTooLarge) }

    /// The headers are there.
    func receive(_ request: HTTPRequest) {
        state.withLock { state in
            state.request = request
            state.phase = .receiving
        }
    }

    /// A part of the body is there. What goes beyond the limit is dropped.
    func receive(_ bytes: UnsafeRawBufferPointer, limit: Int) {
        state.withLock { state in
            guard !state.isTooLarge else { return }
            state.request?.body.append(contentsOf: bytes)
            if state.request?.body.count ?? 0 > limit {
                state.isTooLarge = true
                state.request?.body = Data()
            }
        }
    }

    /// Begins to answer with a handler; `done` is called when the answer is there.
    func answer(
        with handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse, done: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            guard let request = state.request else { return }
            state.request = nil
            // The task sets its answer under the same lock, so it cannot overtake this.
            let task = Task.detached { [self] in
                let response = await handler(request)
                self.state.withLock { state in
                    if case .waiting = state.phase { state.phase = .answered(response) }
                }
                done()
            }
            state.phase = .waiting(task)
        }
    }

    /// An answer is on its way, or the connection gone.
    func finish() {
        let phase = state.withLock { state in
            defer { state.phase = .done }
            return state.phase
        }
        if case .waiting(let task) = phase { task?.cancel() }
    }
}
