import CFFmpeg
import Casting

/// What turns packets into frames: libavcodec's own work, or a chip's. Used by one thread at a time.
protocol FrameDecoder: AnyObject {
    /// Whether to leave out pictures that no other refers to.
    var skipsNonReferenceFrames: Bool { get set }
    /// Gives it a packet; nil to have the rest out.
    func send(_ packet: Packet?) throws(CastError)
    /// The next frame; nil when there is none yet, or none any more.
    func receive() throws(CastError) -> CObject<UnsafeMutablePointer<AVFrame>>?
    /// Forgets everything it holds.
    func flush()
}

extension Decoder: FrameDecoder {}
