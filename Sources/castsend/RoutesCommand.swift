import Arguments
import Casting
import Discovery
import Sender

/// `castsend routes`.
struct RoutesCommand {
    private let context: Context
    private var output: Output { context.output }

    init(_ context: Context) { self.context = context }

    func run() async throws -> ExitCode {
        // Less would not let the daemon answer from its memory.
        let wait = max(0.2, try context.arguments.number("wait", in: 0...60) ?? 1)
        if context.arguments.has("watch") { return await watch() }
        let routes = try await routes(within: wait)
        output.document(routes)
        if routes.isEmpty {
            output.remark("No receiver was found. Check that castreceiver runs and is on the same network.")
        } else {
            output.table(routes, active: context.store.read().lastUsed?.id)
        }
        return .done
    }

    private func routes(within wait: Double) async throws(CastError) -> [Route] {
        do {
            return try await RouteBrowser().routes(within: wait)
        } catch {
            throw error.code == .discoveryUnavailable ? context.explained(error) : error
        }
    }

    /// Shows every change, until a signal comes.
    private func watch() async -> ExitCode {
        var board = RouteBoard(output: output, active: context.store.read().lastUsed?.id)
        let (snapshots, continuation) = AsyncStream<RouteSnapshot>.makeStream(bufferingPolicy: .bufferingNewest(1))
        Signals.handle { _ in continuation.finish() }
        let browsing = Task {
            for await snapshot in RouteBrowser().routes() { continuation.yield(snapshot) }
        }
        for await snapshot in snapshots { board.show(snapshot, explained: context.explained) }
        browsing.cancel()
        return .done
    }
}
