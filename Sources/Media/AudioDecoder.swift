import CFFmpeg
public import Casting

/// Turns the packets of a stream into sound. Used by one thread at a time.
public final class AudioDecoder {
    /// A decoder for a stream of kind `audible`.
    ///
    /// - Throws: `decoderNotFound`, `decodeFailed`.
    public init(_ stream: MediaStream) throws(CastError) {
        throw CastError(averror: CFF_ERROR_DECODER_NOT_FOUND, doing: "")
    }

    /// Gives it a packet; nil after the last, to have the rest of the sound out.
    ///
    /// `receive` is to be called until it answers nil before the next packet.
    /// - Throws: `decodeFailed` after many broken packets in a row.
    public func send(_ packet: Packet?) throws(CastError) {}

    /// The next samples; nil when it needs another packet, or after the last.
    public func receive() throws(CastError) -> AudioFrame? { nil }

    /// Forgets what it holds, for packets from another place. Also goes on after the end.
    public func flush() {}
}
