import CFFmpeg
import Casting

#if canImport(Glibc)
    import Glibc
#endif

/// A chip's decoder, its frames copied to memory. Used by one thread at a time.
///
/// Whether a chip takes a film is only known once it has decoded a frame: `FallbackDecoder` sees to the rest.
final class HardwareDecoder: FrameDecoder {
    /// Where chips are found.
    enum Device: Hashable, Sendable {
        /// VA-API on a render node.
        case vaapi(path: String)
        /// The kernel's memory-to-memory decoders, which need no device named.
        case v4l2

        /// Those that this machine may have, the best first.
        static let present: [Device] = {
            let names: [String] = (128..<136).map { "/dev/dri/renderD\($0)" }
            let nodes = names.filter { access($0, R_OK | W_OK) == 0 }
            let hasVideoNode = (0..<32).contains { access("/dev/video\($0)", R_OK | W_OK) == 0 }
            return nodes.map { Device.vaapi(path: $0) } + (hasVideoNode ? [Device.v4l2] : [])
        }()
    }

    private let context: CObject<UnsafeMutablePointer<AVCodecContext>>

    /// The first decoder that opens for a stream; nil where there is none, or chips are known to fail at its kind.
    static func best(for stream: MediaStream) -> HardwareDecoder? {
        guard ChipProfile.isTried(stream.parameters.pointer.pointee) else { return nil }
        return Device.present.lazy.compactMap { try? HardwareDecoder(stream, on: $0) }.first
    }

    init(_ stream: MediaStream, on device: Device) throws(CastError) {
        let id = stream.parameters.pointer.pointee.codec_id
        let codec: UnsafePointer<AVCodec>?
        switch device {
        case .vaapi: codec = Self.decoder(of: id, for: AV_HWDEVICE_TYPE_VAAPI)
        case .v4l2: codec = avcodec_find_decoder_by_name(String(cString: avcodec_get_name(id)) + "_v4l2m2m")
        }
        guard let codec else { throw Self.unfit }
        context = try allocated(
            CObject(avcodec_alloc_context3(codec)) { context in
                var context: UnsafeMutablePointer<AVCodecContext>? = context
                avcodec_free_context(&context)
            })
        let pointer = context.pointer
        try check(
            avcodec_parameters_to_context(pointer, stream.parameters.pointer), doing: "preparing the decoder")
        pointer.pointee.pkt_timebase = stream.timeBase
        // Pictures on their way to the screen hold on to the chip's memory.
        pointer.pointee.extra_hw_frames = 6
        pointer.pointee.thread_count = 1
        if case .vaapi(let path) = device {
            var reference: UnsafeMutablePointer<AVBufferRef>?
            let code = av_hwdevice_ctx_create(&reference, AV_HWDEVICE_TYPE_VAAPI, path, nil, 0)
            try check(code, doing: "opening the graphics chip")
            pointer.pointee.hw_device_ctx = reference
            pointer.pointee.get_format = chooseVAAPI
        }
        try check(avcodec_open2(pointer, codec, nil), doing: "preparing the decoder")
    }

    var skipsNonReferenceFrames: Bool {
        get { context.pointer.pointee.skip_frame.rawValue >= AVDISCARD_NONREF.rawValue }
        set { context.pointer.pointee.skip_frame = newValue ? AVDISCARD_NONREF : AVDISCARD_DEFAULT }
    }

    func send(_ packet: Packet?) throws(CastError) {
        let code = avcodec_send_packet(context.pointer, packet?.object.pointer)
        guard code != CFF_ERROR_EOF else { return }
        try check(code, doing: "decoding")
    }

    func receive() throws(CastError) -> CObject<UnsafeMutablePointer<AVFrame>>? {
        let frame = try allocated(makeFrame())
        let code = avcodec_receive_frame(context.pointer, frame.pointer)
        if code == CFF_ERROR_AGAIN || code == CFF_ERROR_EOF { return nil }
        try check(code, doing: "decoding")
        guard frame.pointer.pointee.hw_frames_ctx != nil else { return frame }
        // The nearest layout in memory: NV12, or P010 for ten bits.
        let copy = try allocated(makeFrame())
        try check(av_hwframe_transfer_data(copy.pointer, frame.pointer, 0), doing: "decoding")
        try check(av_frame_copy_props(copy.pointer, frame.pointer), doing: "decoding")
        return copy
    }

    func flush() { avcodec_flush_buffers(context.pointer) }

    /// FFmpeg's decoder that hands its work to a device of that type.
    private static func decoder(of id: AVCodecID, for type: AVHWDeviceType) -> UnsafePointer<AVCodec>? {
        var position: UnsafeMutableRawPointer?
        while let codec = av_codec_iterate(&position) {
            guard codec.pointee.id == id, av_codec_is_decoder(codec) != 0 else { continue }
            var index: Int32 = 0
            while let configuration = avcodec_get_hw_config(codec, index) {
                if configuration.pointee.device_type == type { return codec }
                index += 1
            }
        }
        return nil
    }

    private static let unfit = CastError(.decoderNotFound, "The graphics chip has no decoder for this.")
}

/// Takes VA-API's frames; where the chip offers none, the decoder fails rather than do the processor's work twice.
private func chooseVAAPI(
    _: UnsafeMutablePointer<AVCodecContext>?, _ offered: UnsafePointer<AVPixelFormat>?
) -> AVPixelFormat {
    var offered = offered
    while let format = offered?.pointee, format != AV_PIX_FMT_NONE {
        if format == AV_PIX_FMT_VAAPI { return format }
        offered = offered?.advanced(by: 1)
    }
    return AV_PIX_FMT_NONE
}

/// Which films chips are asked to decode: those of which players' trackers do not tell that chips take them and then fail.
enum ChipProfile {
    /// Whether a chip is tried for a stream.
    static func isTried(_ parameters: AVCodecParameters) -> Bool {
        isTried(parameters.codec_id, profile: parameters.profile, fields: parameters.field_order)
    }

    static func isTried(_ codec: AVCodecID, profile: Int32, fields: AVFieldOrder) -> Bool {
        let isProgressive = fields == AV_FIELD_PROGRESSIVE || fields == AV_FIELD_UNKNOWN
        switch codec {
        case AV_CODEC_ID_H264:
            let known = [FF_PROFILE_H264_CONSTRAINED_BASELINE, FF_PROFILE_H264_MAIN, FF_PROFILE_H264_HIGH]
            return isProgressive && known.contains(profile)
        case AV_CODEC_ID_HEVC: return [FF_PROFILE_HEVC_MAIN, FF_PROFILE_HEVC_MAIN_10].contains(profile)
        case AV_CODEC_ID_VP9: return [FF_PROFILE_VP9_0, FF_PROFILE_VP9_2].contains(profile)
        case AV_CODEC_ID_AV1: return profile == FF_PROFILE_AV1_MAIN
        case AV_CODEC_ID_VP8: return true
        case AV_CODEC_ID_MPEG2VIDEO: return isProgressive
        default: return false
        }
    }
}

extension MediaCapabilities {
    /// The devices by which films may be decoded without the processor, by name; each is tried where a film suits it.
    public static var hardwareDecoders: [String] {
        HardwareDecoder.Device.present.map { device in
            switch device {
            case .vaapi(let path): "VA-API on \(path)"
            case .v4l2: "the kernel's video decoder (V4L2)"
            }
        }
    }
}
