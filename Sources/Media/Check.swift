import CFFmpeg
import Casting

/// The one way from a libav* return code to an error.
///
/// - Parameters:
///   - code: what the call returned; negative for an error.
///   - doing: what was being done, to stand after "while": "reading the media".
/// - Returns: `code`, where it is not an error.
@discardableResult
func check(_ code: Int32, doing: String) throws(CastError) -> Int32 {
    guard code < 0 else { return code }
    throw CastError(averror: code, doing: doing)
}

/// The object of a libav* call that answers NULL when memory is short.
func allocated<Value>(_ value: Value?) throws(CastError) -> Value {
    guard let value else { throw CastError(averror: CFF_ERROR_NO_MEMORY, doing: "preparing to play") }
    return value
}

extension CastError {
    /// The plain sentence for an error code of libav*.
    init(averror code: Int32, doing: String) {
        let details = ["ffmpeg": averrorText(code)]
        switch code {
        case CFF_ERROR_EXIT:
            self = .cancelled
        case CFF_ERROR_EOF:
            self.init(
                .fileFailedToParse, "The media ends too early.", hint: "The file may be incomplete.", details: details)
        case CFF_ERROR_DEMUXER_NOT_FOUND:
            self.init(
                .fileFormatNotRecognized, "This is not a kind of media that can be played.",
                hint: "Check that the address leads to a video or audio file.", details: details)
        case CFF_ERROR_INVALID_DATA, CFF_ERROR_INVALID_ARGUMENT, CFF_ERROR_IO:
            // A connection's failures are known by their own reason; what libav* itself cannot read or take is damage.
            self.init(
                .fileFailedToParse, "The media is damaged or incomplete.", hint: "Try another copy of it.",
                details: details)
        case CFF_ERROR_DECODER_NOT_FOUND:
            self.init(
                .decoderNotFound, "There is no decoder for this media.",
                hint: "Convert it to H.264 and AAC, for example.",
                details: details)
        case CFF_ERROR_PROTOCOL_NOT_FOUND:
            self.init(
                .unsupportedURL, "The media leads to an address that is not allowed.",
                hint: "Only http and https can be played.", details: details)
        case CFF_ERROR_PATCH_WELCOME, CFF_ERROR_NOT_IMPLEMENTED:
            self.init(
                .decodeFailed, "The media uses something that is not supported.", hint: "Try another copy of it.",
                details: details)
        case CFF_ERROR_NO_MEMORY:
            self.init(
                .unknown, "There is not enough memory to play this.", hint: "Close other programs.", details: details)
        default:
            self.init(.unknown, "Something went wrong while \(doing).", hint: "Try again.", details: details)
        }
    }

    /// Something else took the operation's place.
    static let cancelled = CastError(.operationCancelled, "The operation was cancelled.")

    /// The operation did not end by its deadline.
    static let timedOut = CastError(
        .timedOut, "The server took too long to answer.",
        hint: "Check that it is running and reachable, then try again.")
}

/// FFmpeg's own words for an error code; for logs.
func averrorText(_ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
        guard let start = buffer.baseAddress, av_strerror(code, start, buffer.count) >= 0 else { return "\(code)" }
        return String(cString: start)
    }
}
