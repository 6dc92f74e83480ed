import Arguments
import Casting
import Sender

/// `castsend log`: what the network gave, and what went wrong with it.
struct LogCommand {
    private let context: Context

    init(_ context: Context) { self.context = context }

    func run() async throws -> ExitCode {
        let found = try await context.find()
        let document = try await context.keeper.existing(with: found) { session throws(CastError) in
            LogDocument(access: try await session.accessLog(), errors: try await session.errorLog())
        }
        context.output.document(document)
        if context.arguments.has("w3c") {
            let text = document.access.extendedLogText + document.errors.extendedLogText
            for line in text.split(separator: "\n") { context.output.say(String(line)) }
            return .done
        }
        if document.access.events.isEmpty { context.output.say("Nothing has been played yet.") }
        for (place, entry) in document.access.events.enumerated() {
            if place == 0 || entry.uri != document.access.events[place - 1].uri { context.output.say(entry.uri) }
            context.output.say("  " + Self.line(entry))
        }
        for (place, entry) in document.errors.events.enumerated() {
            if place == 0 { context.output.say("What went wrong:") }
            context.output.say("  \(entry.date)  \(entry.errorComment)")
            context.output.say("    \(entry.uri)")
        }
        return .done
    }

    private static func line(_ entry: AccessLogEntry) -> String {
        var parts = [
            "\(entry.playbackStartDate)  from \(timeText(Int(max(0, entry.playbackStartOffset))))",
            "\(decimal(entry.durationWatched)) s played",
            "\(entry.numberOfMediaRequests) request\(entry.numberOfMediaRequests == 1 ? "" : "s")",
            "\(decimal(Double(entry.numberOfBytesTransferred) / 1e6)) MB",
        ]
        if let rate = entry.observedBitrate { parts.append("\(decimal(rate / 1e6)) Mbit/s") }
        if entry.numberOfStalls > 0 {
            parts.append("\(entry.numberOfStalls) stall\(entry.numberOfStalls == 1 ? "" : "s")")
        }
        if entry.numberOfDroppedVideoFrames > 0 {
            parts.append("\(entry.numberOfDroppedVideoFrames) pictures left out")
        }
        return parts.joined(separator: ", ")
    }
}

private struct LogDocument: Encodable {
    var access: AccessLogDocument
    var errors: ErrorLogDocument
}
