import Casting
import Sender

/// `castsend watch`: follows what this machine has cast, until Ctrl-C or the session's end.
struct WatchCommand {
    private let context: Context

    init(_ context: Context) { self.context = context }

    func run() async throws -> ExitCode {
        let found = try await context.find()
        // Says so at once where there is nothing to watch.
        let session = try await context.keeper.existing(with: found) { session throws(CastError) in
            _ = try await session.playback()
            return session
        }
        var following = Following(session, output: context.output)
        let ending = await following.run()
        if case .left = ending { return .done }
        return Closing(output: context.output, receiver: found.info.name, position: following.position).close(ending)
    }
}
