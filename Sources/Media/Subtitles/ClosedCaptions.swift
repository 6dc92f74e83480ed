import CFFmpeg

/// The captions hidden in a picture (CEA-608 and CEA-708 as ATSC A/53 has them), as packets for `SubtitleDecoder.captions`.
public enum ClosedCaptions {
    /// What the packets' times are counted in.
    static let timeBase = AVRational(num: 1, den: 1_000_000)

    /// The captions of a picture; nil where there are none. Pictures are to be asked in the order they are shown in.
    public static func packet(of frame: VideoFrame) -> Packet? {
        guard let data = av_frame_get_side_data(frame.object.pointer, AV_FRAME_DATA_A53_CC),
            data.pointee.size > 0, data.pointee.size < 4096, let bytes = data.pointee.data,
            let object = Packet.makeObject()
        else { return nil }
        let packet = object.pointer
        guard av_new_packet(packet, Int32(data.pointee.size)) >= 0, let target = packet.pointee.data else { return nil }
        target.update(from: bytes, count: Int(data.pointee.size))
        packet.pointee.pts = Int64((frame.presentationTime * 1e6).rounded())
        packet.pointee.dts = packet.pointee.pts
        return Packet(object, presentationTime: frame.presentationTime)
    }

    /// Whether a picture's captions say anything at all: most films carry empty ones.
    public static func saysSomething(_ packet: Packet) -> Bool {
        guard let data = packet.object.pointer.pointee.data else { return false }
        for place in stride(from: 0, to: packet.byteCount - 2, by: 3) {
            let (head, first, second) = (data[place], data[place + 1] & 0x7F, data[place + 2] & 0x7F)
            // Valid, of CEA-608's first field, and not padding.
            if head & 0x07 == 0x04, first != 0 || second != 0 { return true }
        }
        return false
    }
}

extension Packet {
    /// A packet that comes from no container.
    convenience init(_ object: CObject<UnsafeMutablePointer<AVPacket>>, presentationTime: Double) {
        self.init(object, streamIndex: -1, presentationTime: presentationTime)
    }
}
