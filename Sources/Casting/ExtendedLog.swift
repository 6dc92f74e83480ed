/// A log as W3C's Extended Log File Format writes it: a line of field names, and a line for each entry.
enum ExtendedLog {
    static func text(_ fields: [String], _ rows: [[String?]]) -> String {
        let lines = rows.map { row in row.map(Self.word).joined(separator: " ") }
        return (["#Version: 1.0", "#Fields: " + fields.joined(separator: " ")] + lines).joined(separator: "\n") + "\n"
    }

    /// A value as one word: "-" for none, in quotation marks where it holds white space.
    private static func word(_ value: String?) -> String {
        guard let value, !value.isEmpty else { return "-" }
        let line = String(value.map { $0.isNewline ? " " : $0 })
        guard line.contains(where: { $0.isWhitespace || $0 == "\"" }) else { return line }
        return "\"" + line.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// A number with three digits after the point at most.
    static func number(_ value: Double?) -> String? {
        guard let value, value.isFinite, abs(value) < 1e15 else { return nil }
        let thousandths = Int64((value * 1000).rounded())
        guard thousandths % 1000 != 0 else { return String(thousandths / 1000) }
        let digits = String(abs(thousandths) % 1000)
        let sign = thousandths < 0 ? "-" : ""
        let rest = String(repeating: "0", count: 3 - digits.count) + digits
        return "\(sign)\(abs(thousandths) / 1000)." + rest
    }
}

extension AccessLogDocument {
    /// The log as text, with AVPlayer's names for the fields.
    public var extendedLogText: String {
        ExtendedLog.text(
            [
                "date", "uri", "cs-guid", "s-ip", "s-ip-changes", "sc-count", "c-start-time", "c-startup-time",
                "c-duration-watched", "c-duration-downloaded", "c-stalls", "c-frames-dropped", "bytes",
                "c-transfer-duration", "c-observed-bitrate", "c-observed-bitrate-sd", "s-playback-type",
                "sc-wwan-count",
            ],
            events.map { event in
                [
                    event.playbackStartDate, event.uri, event.playbackSessionID, event.serverAddress,
                    String(event.numberOfServerAddressChanges), String(event.numberOfMediaRequests),
                    ExtendedLog.number(event.playbackStartOffset), ExtendedLog.number(event.startupTime),
                    ExtendedLog.number(event.durationWatched), ExtendedLog.number(event.segmentsDownloadedDuration),
                    String(event.numberOfStalls), String(event.numberOfDroppedVideoFrames),
                    String(event.numberOfBytesTransferred), ExtendedLog.number(event.transferDuration),
                    ExtendedLog.number(event.observedBitrate),
                    ExtendedLog.number(event.observedBitrateStandardDeviation), event.playbackType,
                    // A television has no mobile network.
                    "-1",
                ]
            })
    }
}

extension ErrorLogDocument {
    /// The log as text, with AVPlayer's names for the fields.
    public var extendedLogText: String {
        ExtendedLog.text(
            ["date", "uri", "cs-guid", "s-ip", "status", "domain", "comment"],
            events.map { event in
                [
                    event.date, event.uri, event.playbackSessionID, event.serverAddress,
                    event.errorStatusCode.map { String($0) }, event.errorDomain, event.errorComment,
                ]
            })
    }
}
