import CFFmpeg

/// A piece of one stream as it lies in the container, not yet decoded.
public final class Packet: Sendable {
    /// The number of the stream it belongs to.
    public let streamIndex: Int
    /// Item time of what it holds, in seconds; nil where the media does not say.
    public let presentationTime: Double?
    /// Item time by which to decode it, in seconds; never falls within a stream. Nil where the media does not say.
    public let decodeTime: Double?
    /// Seconds that it lasts; nil where the media does not say.
    public let duration: Double?
    /// Whether decoding can begin with it.
    public let isKey: Bool
    /// Its size.
    public let byteCount: Int
    let object: CObject<UnsafeMutablePointer<AVPacket>>

    init(_ object: CObject<UnsafeMutablePointer<AVPacket>>, stream: MediaStream) {
        self.object = object
        let packet = object.pointer
        streamIndex = stream.index
        presentationTime = stream.itemTime(packet.pointee.pts)
        decodeTime = stream.itemTime(packet.pointee.dts)
        duration = packet.pointee.duration > 0 ? Double(packet.pointee.duration) * av_q2d(stream.timeBase) : nil
        isKey = packet.pointee.flags & AV_PKT_FLAG_KEY != 0
        byteCount = Int(packet.pointee.size)
    }

    /// A packet that comes from no container, of a moment.
    init(_ object: CObject<UnsafeMutablePointer<AVPacket>>, streamIndex: Int, presentationTime: Double) {
        self.object = object
        self.streamIndex = streamIndex
        self.presentationTime = presentationTime
        decodeTime = presentationTime
        duration = nil
        isKey = true
        byteCount = Int(object.pointer.pointee.size)
    }

    /// An empty packet for libavformat to fill.
    static func makeObject() -> CObject<UnsafeMutablePointer<AVPacket>>? {
        CObject(av_packet_alloc()) { packet in
            var packet: UnsafeMutablePointer<AVPacket>? = packet
            av_packet_free(&packet)
        }
    }
}
