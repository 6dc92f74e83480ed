import CFFmpeg
public import Casting

/// Opened media: its streams, and their packets one after another.
///
/// Used by one thread at a time, which is not one of the cooperative pool, for its calls block on the network.
public final class Demuxer {
    /// The container's name as FFmpeg gives it, for example `mov,mp4,m4a,3gp,3g2,mj2`.
    public let container: String
    /// The streams that can be told apart: picture, sound and text.
    public let streams: [MediaStream]
    /// Seconds from first to last; nil where not known and for live media.
    public let duration: Double?
    /// Whether it is a live stream without end.
    public let isLive: Bool
    /// Whether `seek` can work.
    public let isSeekable: Bool
    /// The media's own title.
    public let title: String?
    /// Who made it, by the media's own word.
    public let artist: String?
    /// Bytes received and how fast. May be asked from any thread.
    public let traffic: Traffic

    /// What ends the blocking calls. After it was cancelled, give it another one before the next call, which must then
    /// be `seek`.
    public var cancellation: Cancellation

    /// Opens media; blocks until its streams are known.
    ///
    /// - Parameter timeout: seconds this may take at most, whatever the server does.
    /// - Throws: `unsupportedURL`, the errors of the network and of HTTP, `fileFormatNotRecognized`,
    ///   `fileFailedToParse`, `contentIsProtected`, `timedOut`, `operationCancelled`.
    public init(_ location: MediaLocation, cancellation: Cancellation, timeout: Double = 10) throws(CastError) {
        throw .timedOut
    }

    /// The next packet of the selected streams; blocks until it is there.
    ///
    /// - Returns: nil at the true end of the media.
    /// - Throws: `networkConnectionLost`, `noLongerPlayable`, `timedOut`, `fileFailedToParse` (the file ends before the
    ///   media does), `operationCancelled`.
    public func nextPacket() throws(CastError) -> Packet? { nil }

    /// Goes to the key frame at or before `time`, in all streams.
    ///
    /// - Parameter time: seconds of item time; clamped to what there is.
    /// - Throws: `operationNotSupported` where the media cannot seek; the errors of `nextPacket`.
    public func seek(to time: Double) throws(CastError) {}

    /// Chooses the streams whose packets come; the others are passed over, where possible without loading them.
    ///
    /// At first: the best picture and the best sound.
    public func select(_ streams: Set<Int>) {}

    /// The streams whose packets come.
    public private(set) var selectedStreams: Set<Int> = []
}
