import Arguments
import Casting
import FoundationEssentials
import Sender

/// `castsend screenshot`: what is on the receiver's screen, as a PNG file.
struct ScreenshotCommand {
    private let context: Context

    init(_ context: Context) { self.context = context }

    func run() async throws -> ExitCode {
        let path = context.arguments.value("output") ?? "screenshot.png"
        let found = try await context.find()
        let png = try await context.keeper.existing(with: found) { session throws(CastError) in
            try await session.screenshot()
        }
        do {
            try png.write(to: URL(fileURLWithPath: path))
        } catch {
            throw CastError(
                .invalidRequest, "\(path) cannot be written.", hint: "Name another file with --output.",
                details: ["reason": "\(error)"])
        }
        context.output.document(ScreenshotDocument(file: path))
        context.output.say("What is on the screen is in \(path).")
        return .done
    }
}

private struct ScreenshotDocument: Encodable {
    var file: String
}
