import CFFmpeg
public import Casting

/// Turns the packets of a stream into pictures. Used by one thread at a time.
public final class VideoDecoder {
    /// Whether to leave out pictures that no other refers to: a faster way to a seek's target.
    public var skipsNonReferenceFrames = false

    /// A decoder for a stream of kind `visual`.
    ///
    /// - Throws: `decoderNotFound`, `decodeFailed`.
    public init(_ stream: MediaStream) throws(CastError) {
        throw CastError(averror: CFF_ERROR_DECODER_NOT_FOUND, doing: "")
    }

    /// Gives it a packet; nil after the last, to have the rest of the pictures out.
    ///
    /// `receive` is to be called until it answers nil before the next packet.
    /// - Throws: `decodeFailed` after many broken packets in a row.
    public func send(_ packet: Packet?) throws(CastError) {}

    /// The next picture; nil when it needs another packet, or after the last.
    public func receive() throws(CastError) -> VideoFrame? { nil }

    /// Forgets what it holds, for packets from another place. Also goes on after the end.
    public func flush() {}
}
