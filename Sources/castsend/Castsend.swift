import Arguments
import Casting
import FoundationEssentials
import HTTP
import Sender

#if canImport(Glibc)
    import Glibc
#endif

/// The program: reads the command line, carries the command out, and turns what goes wrong into words and exit codes.
enum Castsend {
    /// Begins to run one command line; the process ends with it.
    static func begin(_ words: [String]) {
        Signals.hold()
        Task.detached { exit(await run(words).rawValue) }
    }

    private static func run(_ words: [String]) async -> ExitCode {
        do {
            switch try Syntax.program.parse(words) {
            case .show(let text):
                let output = Output(isJSON: false)
                output.write(text + "\n")
                return output.ending(.done)
            case .run(let arguments): return await run(arguments)
            }
        } catch {
            return refuse(error, Output(isJSON: words.contains("--json")))
        }
    }

    private static func run(_ arguments: ParsedArguments) async -> ExitCode {
        let output = Output(isJSON: arguments.has("json"))
        let store = SenderStateStore(
            folder: SenderStateStore.standardFolder(environment: ProcessInfo.processInfo.environment))
        let context = Context(arguments: arguments, output: output, store: store, http: HTTPClient())
        do {
            try context.checkAddress()
            return output.ending(try await perform(context))
        } catch let error as UsageError {
            return refuse(error, output)
        } catch let failure as RouteFailure {
            let code = ExitCode(failure.error)
            output.failure(failure.error, candidates: failure.candidates, exitCode: code)
            return code
        } catch let error as CastError {
            let code = ExitCode(error)
            output.failure(error, exitCode: code)
            return code
        } catch {
            let unknown = CastError(.unknown, "Something went wrong: \(error)")
            output.failure(unknown, exitCode: .network)
            return .network
        }
    }

    private static func refuse(_ error: UsageError, _ output: Output) -> ExitCode {
        output.failure(CastError(.invalidRequest, error.message, hint: error.hint), exitCode: .usage)
        return .usage
    }

    private static func perform(_ context: Context) async throws -> ExitCode {
        switch context.arguments.command.joined(separator: " ") {
        case "routes": return try await RoutesCommand(context).run()
        case "play": return try await PlayCommand(context).run()
        case "status": return try await StatusCommand(context).run()
        case "screenshot": return try await ScreenshotCommand(context).run()
        case "log": return try await LogCommand(context).run()
        case "watch": return try await WatchCommand(context).run()
        case "tracks": return try await TracksCommand(context).list()
        case "audio": return try await TracksCommand(context).select(.audible)
        case "subs": return try await SubsCommand(context).run()
        case "queue add": return try await QueueCommand(context).add()
        case "queue list": return try await QueueCommand(context).list()
        case "queue loop": return try await QueueCommand(context).loop()
        case "queue clear": return try await QueueCommand(context).clear()
        case let command: return try await SteeringCommand(context).run(command)
        }
    }
}

/// What every command works with.
struct Context: Sendable {
    let arguments: ParsedArguments
    let output: Output
    let store: SenderStateStore
    let http: HTTPClient

    var keeper: SessionKeeper { SessionKeeper(store: store) }

    /// Refuses an address that makes no sense before anything is looked for.
    func checkAddress() throws(UsageError) {
        guard let port = arguments.value("to").flatMap(RouteResolver.impossiblePort) else { return }
        throw UsageError("There is no port \(port).", hint: "A port is a number from 1 to 65535.")
    }

    /// The receiver the command is for.
    func find() async throws(RouteFailure) -> FoundReceiver {
        let finder = RouteFinder(store: store, http: http)
        do {
            return try await finder.find(
                option: arguments.value("to"), environment: Terminal.variable("CASTSEND_ROUTE"))
        } catch {
            throw error.error.code == .discoveryUnavailable ? RouteFailure(explained(error.error)) : error
        }
    }

    /// Adds what still works without a way to search the network.
    func explained(_ error: CastError) -> CastError {
        var error = error
        let way = "Without it, give the receiver's address, which its screen shows: “--to HOST”."
        error.hint = [error.hint, way].compactMap { $0 }.joined(separator: " ")
        return error
    }
}
