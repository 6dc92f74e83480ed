import CFFmpeg
public import Casting

/// Turns the packets of a stream into sound. Used by one thread at a time.
///
/// What an encoder put before the first sample and after the last is left out.
public final class AudioDecoder {
    private let stream: MediaStream
    private let decoder: Decoder
    private var times = FrameTimes(usualDuration: 0)
    /// The frame before the next: only at the end is it known which was the last.
    private var held: AudioFrame?
    private var heldPacketDuration: Double?
    private var isDraining = false

    /// A decoder for a stream of kind `audible`.
    ///
    /// - Throws: `decoderNotFound`, `decodeFailed`.
    public init(_ stream: MediaStream) throws(CastError) {
        self.stream = stream
        decoder = try Decoder(stream)
    }

    /// Gives it a packet; nil after the last, to have the rest of the sound out.
    ///
    /// `receive` is to be called until it answers nil before the next packet.
    /// - Throws: `decodeFailed` after many broken packets in a row.
    public func send(_ packet: Packet?) throws(CastError) {
        isDraining = packet == nil
        try decoder.send(packet)
    }

    /// The next samples; nil when it needs another packet, or after the last.
    public func receive() throws(CastError) -> AudioFrame? {
        while let object = try decoder.receive() {
            let frame = object.pointer.pointee
            guard frame.nb_samples > 0, frame.sample_rate > 0, frame.ch_layout.nb_channels > 0 else { continue }
            let duration = Double(frame.nb_samples) / Double(frame.sample_rate)
            let time = times.place(stream.itemTime(frame.best_effort_timestamp), duration: duration)
            let next = AudioFrame(object, presentationTime: time)
            let earlier = takeHeld(isLast: false)
            held = next
            heldPacketDuration = frame.pkt_duration > 0 ? Double(frame.pkt_duration) * av_q2d(stream.timeBase) : nil
            if let earlier { return earlier }
        }
        return isDraining ? takeHeld(isLast: true) : nil
    }

    private func takeHeld(isLast: Bool) -> AudioFrame? {
        guard let frame = held else { return nil }
        held = nil
        let kept = stream.padding.kept(
            of: frame.sampleCount, at: frame.presentationTime + stream.itemStart - stream.soundStart,
            sampleRate: frame.sampleRate, packetDuration: heldPacketDuration, isLast: isLast)
        return kept > 0 ? frame.shortened(to: kept) : nil
    }

    /// Forgets what it holds, for packets from another place. Also goes on after the end.
    public func flush() {
        decoder.flush()
        held = nil
        isDraining = false
        times.restart()
    }
}
