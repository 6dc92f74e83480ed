import CFFmpeg
public import Casting
public import FoundationEssentials

extension PixelPicture {
    /// The picture as a PNG file.
    public func png() throws(CastError) -> Data {
        let object = try allocated(makeFrame())
        let frame = object.pointer
        frame.pointee.format = AV_PIX_FMT_RGB24.rawValue
        frame.pointee.width = Int32(width)
        frame.pointee.height = Int32(height)
        try check(av_frame_get_buffer(frame, 0), doing: "making a picture file")
        guard let rows = frame.pointee.data.0 else { throw CastError(averror: CFF_ERROR_NO_MEMORY, doing: "") }
        for y in 0..<height {
            let row = rows + y * Int(frame.pointee.linesize.0)
            for x in 0..<width {
                let pixel = (y * width + x) * 4
                row[x * 3] = bytes[pixel + 2]
                row[x * 3 + 1] = bytes[pixel + 1]
                row[x * 3 + 2] = bytes[pixel]
            }
        }
        let codec = avcodec_find_encoder(AV_CODEC_ID_PNG)
        let context = try allocated(
            CObject(avcodec_alloc_context3(codec)) { context in
                var context: UnsafeMutablePointer<AVCodecContext>? = context
                avcodec_free_context(&context)
            })
        context.pointer.pointee.width = Int32(width)
        context.pointer.pointee.height = Int32(height)
        context.pointer.pointee.pix_fmt = AV_PIX_FMT_RGB24
        context.pointer.pointee.time_base = AVRational(num: 1, den: 25)
        context.pointer.pointee.thread_count = 1
        try check(avcodec_open2(context.pointer, codec, nil), doing: "making a picture file")
        try check(avcodec_send_frame(context.pointer, frame), doing: "making a picture file")
        let packet = try allocated(Packet.makeObject())
        try check(avcodec_receive_packet(context.pointer, packet.pointer), doing: "making a picture file")
        guard let data = packet.pointer.pointee.data else { return Data() }
        return Data(bytes: data, count: Int(packet.pointer.pointee.size))
    }
}
