import CFFmpeg
public import Casting

/// Turns the packets of a stream into pictures. Used by one thread at a time.
public final class VideoDecoder {
    private let stream: MediaStream
    private let decoder: FallbackDecoder
    private var times: FrameTimes
    /// There once a picture was interlaced.
    private var deinterlacer: Deinterlacer?
    private var isDraining = false

    /// A decoder for a stream of kind `visual`.
    ///
    /// - Parameter usesHardware: whether to leave the work to a chip where there is one that can do it.
    /// - Throws: `decoderNotFound`, `decodeFailed`.
    public convenience init(_ stream: MediaStream, usesHardware: Bool = false) throws(CastError) {
        try self.init(stream, chip: usesHardware && !stream.hasAlpha ? HardwareDecoder.best(for: stream) : nil)
    }

    /// A decoder that leaves the work to `chip` until it fails.
    init(_ stream: MediaStream, chip: (any FrameDecoder)?) throws(CastError) {
        self.stream = stream
        decoder = try FallbackDecoder(chip: chip) { () throws(CastError) in try Decoder(stream) }
        times = FrameTimes(usualDuration: 1 / (stream.frameRate ?? 25))
    }

    /// Whether a chip does the work.
    var usesChip: Bool { decoder.usesChip }

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
        isDraining = packet == nil
        try decoder.send(packet)
    }

    /// The next picture; nil when it needs another packet, or after the last.
    public func receive() throws(CastError) -> VideoFrame? {
        while true {
            if let output = deinterlacer?.receive() {
                guard let frame = frame(output.object, time: output.time, duration: output.duration) else { continue }
                return frame
            }
            guard let object = try decoder.receive() else {
                guard isDraining, let deinterlacer else { return nil }
                isDraining = false
                try deinterlacer.finish()
                continue
            }
            let pointer = object.pointer
            let duration =
                pointer.pointee.pkt_duration > 0
                ? Double(pointer.pointee.pkt_duration) * av_q2d(stream.timeBase) : nil
            let time = times.place(stream.itemTime(pointer.pointee.best_effort_timestamp), duration: duration)
            if pointer.pointee.interlaced_frame != 0, deinterlacer == nil { deinterlacer = Deinterlacer() }
            if let deinterlacer {
                try deinterlacer.send(object, time: time, duration: duration)
            } else if let frame = frame(object, time: time, duration: duration) {
                return frame
            }
        }
    }

    /// A decoded picture with all that is known of it; nil where it has no size.
    private func frame(
        _ object: CObject<UnsafeMutablePointer<AVFrame>>, time: Double, duration: Double?
    ) -> VideoFrame? {
        let frame = object.pointer.pointee
        let orientation =
            Self.orientation(of: object.pointer) ?? Orientation(exifOf: object.pointer) ?? stream.orientation
            ?? Orientation()
        let size = Geometry.displaySize(
            width: Int(frame.width), height: Int(frame.height),
            pixelAspects: [stream.sampleAspectRatio.value, frame.sample_aspect_ratio.value], orientation: orientation)
        guard let size else { return nil }
        return VideoFrame(
            object, presentationTime: time, duration: duration, displaySize: size, orientation: orientation,
            colour: ColourDescription(
                frame, container: stream.parameters.pointer.pointee, containerPeak: stream.peakLuminance))
    }

    /// Forgets what it holds, for packets from another place. Also goes on after the end.
    public func flush() {
        decoder.flush()
        deinterlacer?.flush()
        isDraining = false
        times.restart()
    }

    private static func orientation(of frame: UnsafeMutablePointer<AVFrame>) -> Orientation? {
        guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX) else { return nil }
        return Orientation(sideData: data.pointee.data, size: data.pointee.size)
    }
}
