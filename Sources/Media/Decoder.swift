import CFFmpeg
import Casting

/// One of libavcodec's decoders, for any kind of stream.
final class Decoder {
    /// Broken packets in a row that are passed over before it gives up.
    static let toleratedErrors = 30

    private let context: CObject<UnsafeMutablePointer<AVCodecContext>>
    private let stream: MediaStream
    private var errors = 0
    private var hasDecoded = false
    private var isDraining = false

    init(_ stream: MediaStream) throws(CastError) {
        self.stream = stream
        let parameters = stream.parameters.pointer
        guard let codec = Self.codec(for: stream) else { throw .noDecoder(for: stream) }
        context = try allocated(
            CObject(avcodec_alloc_context3(codec)) { context in
                var context: UnsafeMutablePointer<AVCodecContext>? = context
                avcodec_free_context(&context)
            })
        let pointer = context.pointer
        try check(avcodec_parameters_to_context(pointer, parameters), doing: "preparing the decoder")
        pointer.pointee.pkt_timebase = stream.timeBase
        pointer.pointee.max_pixels = Int64(VideoFrame.mostPixels)
        if stream.kind == .visual { pointer.pointee.lowres = Self.reduction(codec, parameters.pointee) }
        pointer.pointee.thread_count = stream.kind == .visual ? 0 : 1
        pointer.pointee.thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE
        let code = avcodec_open2(pointer, codec, nil)
        guard code >= 0 else {
            if code == CFF_ERROR_NO_MEMORY { throw CastError(averror: code, doing: "preparing the decoder") }
            throw .cannotDecode(stream, code)
        }
    }

    /// FFmpeg's own decoders of VP8 and VP9 drop transparency; libvpx keeps it.
    private static func codec(for stream: MediaStream) -> UnsafePointer<AVCodec>? {
        let id = stream.parameters.pointer.pointee.codec_id
        guard stream.hasAlpha else { return avcodec_find_decoder(id) }
        let name = id == AV_CODEC_ID_VP9 ? "libvpx-vp9" : id == AV_CODEC_ID_VP8 ? "libvpx" : ""
        return avcodec_find_decoder_by_name(name) ?? avcodec_find_decoder(id)
    }

    /// How often a huge picture's sides are to be halved while it is decoded, which only JPEG's decoder can.
    private static func reduction(_ codec: UnsafePointer<AVCodec>, _ parameters: AVCodecParameters) -> Int32 {
        var pixels = Int(parameters.width) * Int(parameters.height)
        var result: Int32 = 0
        while pixels > VideoFrame.manyPixels, result < Int32(codec.pointee.max_lowres) {
            pixels /= 4
            result += 1
        }
        return result
    }

    /// Sets which pictures are not worth decoding.
    var skipsNonReferenceFrames: Bool {
        get { context.pointer.pointee.skip_frame.rawValue >= AVDISCARD_NONREF.rawValue }
        set { context.pointer.pointee.skip_frame = newValue ? AVDISCARD_NONREF : AVDISCARD_DEFAULT }
    }

    /// Gives it a packet; nil to have the rest out.
    func send(_ packet: Packet?) throws(CastError) {
        isDraining = packet == nil
        let code = avcodec_send_packet(context.pointer, packet?.object.pointer)
        guard code < 0, code != CFF_ERROR_EOF else { return }
        try tolerate(code)
    }

    /// The next frame; nil when there is none yet, or none any more.
    func receive() throws(CastError) -> CObject<UnsafeMutablePointer<AVFrame>>? {
        while true {
            let frame = try allocated(makeFrame())
            let code = avcodec_receive_frame(context.pointer, frame.pointer)
            switch code {
            case 0...:
                errors = 0
                hasDecoded = true
                return frame
            case CFF_ERROR_AGAIN:
                return nil
            case CFF_ERROR_EOF:
                if isDraining && !hasDecoded && errors > 0 { throw .cannotDecode(stream, CFF_ERROR_INVALID_DATA) }
                return nil
            default:
                try tolerate(code)
            }
        }
    }

    /// Forgets everything it holds.
    func flush() {
        avcodec_flush_buffers(context.pointer)
        errors = 0
        isDraining = false
    }

    /// The pixels' shape by the stream's own word.
    var sampleAspectRatio: AVRational { context.pointer.pointee.sample_aspect_ratio }

    private func tolerate(_ code: Int32) throws(CastError) {
        if code == CFF_ERROR_NO_MEMORY { throw CastError(averror: code, doing: "decoding") }
        errors += 1
        guard errors <= Self.toleratedErrors else { throw .cannotDecode(stream, code) }
    }
}

/// An empty frame.
func makeFrame() -> CObject<UnsafeMutablePointer<AVFrame>>? {
    CObject(av_frame_alloc()) { frame in
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }
}

extension CastError {
    fileprivate static func noDecoder(for stream: MediaStream) -> CastError {
        CastError(
            .decoderNotFound, "There is no decoder for this \(stream.kind.word) (\(stream.codec)).",
            hint: "Convert the media to H.264 and AAC, for example.", details: ["codec": stream.codec])
    }

    fileprivate static func cannotDecode(_ stream: MediaStream, _ code: Int32) -> CastError {
        CastError(
            .decodeFailed, "The \(stream.kind.word) (\(stream.codec)) cannot be decoded.",
            hint: "The file may be damaged: try another copy of it.",
            details: ["codec": stream.codec, "ffmpeg": averrorText(code)])
    }
}

extension MediaTrack.Kind {
    fileprivate var word: String {
        switch self {
        case .audible: "sound"
        case .visual: "picture"
        case .legible: "text"
        }
    }
}
