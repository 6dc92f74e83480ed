import Arguments
import Casting
import Glibc

/// The program behind the TV. Reads the command line and runs what it asks for.
@main
struct CastReceiver {
    @MainActor
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// - Returns: the exit code: 0 when asked to end, 1 when it cannot work, 2 for a wrong command line or configuration.
    @MainActor
    private static func run(_ words: [String]) -> Int32 {
        do {
            switch try Syntax.program.parse(words) {
            case .show(let text):
                print(text)
                return 0
            case .run(let arguments):
                let configuration = try Syntax.configuration(arguments)
                if arguments.command == ["check"] { return Checkup(configuration).run() }
                return try Program(configuration).run()
            }
        } catch let error as UsageError {
            Log.standardError("castreceiver: \(error)")
            return UsageError.exitCode
        } catch let error as CastError {
            Log.standardError("castreceiver: \(error)")
            return error.code == .invalidConfiguration ? UsageError.exitCode : 1
        } catch {
            Log.standardError("castreceiver: \(error)")
            return 1
        }
    }
}
