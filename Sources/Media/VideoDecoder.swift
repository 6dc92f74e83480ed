import CFFmpeg
public import Casting

/// Turns the packets of a stream into pictures. Used by one thread at a time.
public final class VideoDecoder {
    private let stream: MediaStream
    private let decoder: Decoder
    private var times: FrameTimes

    /// A decoder for a stream of kind `visual`.
    ///
    /// - Throws: `decoderNotFound`, `decodeFailed`.
    public init(_ stream: MediaStream) throws(CastError) {
        self.stream = stream
        decoder = try Decoder(stream)
        times = FrameTimes(usualDuration: 1 / (stream.frameRate ?? 25))
    }

    /// Whether to leave out pictures that no other refers to: a faster way to a seek's target.
    public var skipsNonReferenceFrames: Bool {
        get { decoder.skipsNonReferenceFrames }
        set { decoder.skipsNonReferenceFrames = newValue }
    }

    /// Gives it a packet; nil after the last, to have the rest of the pictures out.
    ///
    /// `receive` is to be called until it answers nil before the next packet.
    /// - Throws: `decodeFailed` after many broken packets in a row.
    public func send(_ packet: Packet?) throws(CastError) {
        try decoder.send(packet)
    }

    /// The next picture; nil when it needs another packet, or after the last.
    public func receive() throws(CastError) -> VideoFrame? {
        guard let object = try decoder.receive() else { return nil }
        let frame = object.pointer.pointee
        let duration = frame.pkt_duration > 0 ? Double(frame.pkt_duration) * av_q2d(stream.timeBase) : nil
        let orientation = Self.orientation(of: object.pointer) ?? stream.orientation ?? Orientation()
        let size = Geometry.displaySize(
            width: Int(frame.width), height: Int(frame.height),
            pixelAspects: [stream.sampleAspectRatio.value, frame.sample_aspect_ratio.value], orientation: orientation)
        guard let size else { return nil }
        return VideoFrame(
            object, presentationTime: times.place(stream.itemTime(frame.best_effort_timestamp), duration: duration),
            duration: duration, displaySize: size, orientation: orientation, colour: ColourDescription(frame))
    }

    /// Forgets what it holds, for packets from another place. Also goes on after the end.
    public func flush() {
        decoder.flush()
        times.restart()
    }

    private static func orientation(of frame: UnsafeMutablePointer<AVFrame>) -> Orientation? {
        guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX) else { return nil }
        return Orientation(sideData: data.pointee.data, size: data.pointee.size)
    }
}
