import CFFmpeg
public import Casting

/// Turns the packets of a stream of text into cues. Used by one thread at a time.
public final class SubtitleDecoder {
    /// How its cues are to be read.
    public let script: SubtitleScript

    private let context: CObject<UnsafeMutablePointer<AVCodecContext>>
    private let codec: AVCodecID
    private let itemStart: Double
    private let timeBase: AVRational

    /// A decoder for a stream of kind `legible`.
    ///
    /// - Throws: `decoderNotFound`, `decodeFailed`.
    public convenience init(_ stream: MediaStream) throws(CastError) {
        try self.init(
            stream.parameters.pointer.pointee.codec_id, parameters: stream.parameters.pointer,
            timeBase: stream.timeBase, itemStart: stream.itemStart)
    }

    /// A decoder for the captions that are hidden in pictures (CEA-608).
    public static func captions() throws(CastError) -> SubtitleDecoder {
        try SubtitleDecoder(
            AV_CODEC_ID_EIA_608, parameters: nil, timeBase: ClosedCaptions.timeBase, itemStart: 0)
    }

    init(
        _ codec: AVCodecID, parameters: UnsafeMutablePointer<AVCodecParameters>?, timeBase: AVRational,
        itemStart: Double
    ) throws(CastError) {
        self.codec = codec
        self.timeBase = timeBase
        self.itemStart = itemStart
        guard let decoder = avcodec_find_decoder(codec) else {
            throw CastError(
                .decoderNotFound, "These subtitles are in a format that cannot be shown here.",
                hint: "Convert them to SRT or WebVTT.", details: ["codec": String(cString: avcodec_get_name(codec))])
        }
        context = try allocated(
            CObject(avcodec_alloc_context3(decoder)) { context in
                var context: UnsafeMutablePointer<AVCodecContext>? = context
                avcodec_free_context(&context)
            })
        let pointer = context.pointer
        if let parameters {
            try check(avcodec_parameters_to_context(pointer, parameters), doing: "preparing the subtitles")
        }
        pointer.pointee.pkt_timebase = timeBase
        pointer.pointee.thread_count = 1
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        for (name, value) in Self.options(of: codec) { av_dict_set(&options, name, value, 0) }
        let code = avcodec_open2(pointer, decoder, &options)
        guard code >= 0 else {
            throw CastError(
                .decodeFailed, "These subtitles cannot be read.", hint: "The file may be damaged.",
                details: ["ffmpeg": averrorText(code)])
        }
        var header = ""
        if let text = pointer.pointee.subtitle_header, pointer.pointee.subtitle_header_size > 0 {
            let bytes = UnsafeBufferPointer(start: text, count: Int(pointer.pointee.subtitle_header_size))
            header = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        script = SubtitleScript(
            header: header, isStyled: codec == AV_CODEC_ID_ASS || codec == AV_CODEC_ID_SSA,
            stacksUpwards: codec == AV_CODEC_ID_WEBVTT, replaces: Self.replaces(codec))
    }

    /// The cues of a packet, in order. A damaged packet has none.
    public func decode(_ packet: Packet) -> [SubtitleCue] { decode(packet.object.pointer) }

    /// Forgets what it holds, for packets from another place.
    public func flush() {
        avcodec_flush_buffers(context.pointer)
    }

    func decode(_ packet: UnsafeMutablePointer<AVPacket>) -> [SubtitleCue] {
        guard let copy = CObject(av_packet_clone(packet), free: Self.freePacket) else { return [] }
        if Self.isPlain(codec) { SubtitleText.repair(copy.pointer) }
        var subtitle = AVSubtitle()
        var isThere: Int32 = 0
        let code = avcodec_decode_subtitle2(context.pointer, &subtitle, &isThere, copy.pointer)
        guard code >= 0, isThere != 0 else { return [] }
        defer { avsubtitle_free(&subtitle) }
        let stamp = packet.pointee.pts
        guard stamp != CFF_NO_TIME || subtitle.pts != CFF_NO_TIME else { return [] }
        let time =
            subtitle.pts != CFF_NO_TIME
            ? Double(subtitle.pts) / Double(AV_TIME_BASE) : Double(stamp) * av_q2d(timeBase)
        let start = time - itemStart + Double(subtitle.start_display_time) / 1000
        let isOpen = subtitle.end_display_time == .max || subtitle.end_display_time == 0
        var end = isOpen ? nil : time - itemStart + Double(subtitle.end_display_time) / 1000
        // What has no end of its own, and is of a kind that no other takes down, stays for a while.
        if end == nil, !script.replaces { end = start + Self.usualLength }
        if let end, end <= start { return [] }
        return [SubtitleCue(start: start, end: end, content: content(of: subtitle, packet: packet))]
    }

    private func content(of subtitle: AVSubtitle, packet: UnsafeMutablePointer<AVPacket>) -> SubtitleCue.Content {
        let rects = (0..<Int(subtitle.num_rects)).compactMap { subtitle.rects?[$0] }
        var lines: [String] = []
        var bitmaps: [SubtitleBitmap] = []
        for rect in rects {
            if rect.pointee.type == SUBTITLE_BITMAP {
                if let bitmap = SubtitleBitmap(rect.pointee) { bitmaps.append(bitmap) }
            } else if let text = rect.pointee.ass {
                var line = String(cString: text)
                if codec == AV_CODEC_ID_WEBVTT, let settings = WebVTTSettings(sideDataOf: packet) {
                    line = settings.apply(to: line)
                }
                if SubtitleText.saysSomething(line) { lines.append(line) }
            }
        }
        guard bitmaps.isEmpty, Self.isText(codec) || !lines.isEmpty else {
            let size = Size(width: Int(context.pointer.pointee.width), height: Int(context.pointer.pointee.height))
            return .bitmaps(bitmaps, canvas: size.width > 0 && size.height > 0 ? size : nil)
        }
        return .text(lines)
    }

    /// Seconds that a cue without an end is up.
    private static let usualLength = 4.0

    private static func options(of codec: AVCodecID) -> [(String, String)] {
        switch codec {
        // Each change of the caption as it comes, rather than a caption once it is over.
        case AV_CODEC_ID_EIA_608: [("real_time", "1")]
        case AV_CODEC_ID_DVB_TELETEXT: [("txt_format", "ass"), ("txt_page", "subtitle")]
        default: []
        }
    }

    private static func replaces(_ codec: AVCodecID) -> Bool {
        [
            AV_CODEC_ID_EIA_608, AV_CODEC_ID_DVB_TELETEXT, AV_CODEC_ID_HDMV_PGS_SUBTITLE, AV_CODEC_ID_DVB_SUBTITLE,
            AV_CODEC_ID_DVD_SUBTITLE, AV_CODEC_ID_XSUB,
        ].contains(codec)
    }

    /// Whether, in a stream, each cue takes down the one before.
    public static func replaces(_ stream: MediaStream) -> Bool { replaces(stream.parameters.pointer.pointee.codec_id) }

    /// What stands for a decoder where there is nothing to decode.
    public static let none = CastError(.decoderNotFound, "There is nothing to decode.")

    /// Whether packets are nothing but text.
    private static func isPlain(_ codec: AVCodecID) -> Bool {
        ![AV_CODEC_ID_MOV_TEXT, AV_CODEC_ID_EIA_608, AV_CODEC_ID_DVB_TELETEXT].contains(codec) && isText(codec)
    }

    private static func isText(_ codec: AVCodecID) -> Bool {
        guard let descriptor = avcodec_descriptor_get(codec) else { return false }
        return descriptor.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0
    }

    static let freePacket: @Sendable (UnsafeMutablePointer<AVPacket>) -> Void = { packet in
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }
}

extension SubtitleBitmap {
    /// Copies a rectangle of libavcodec's, without the transparent rows and columns around it; nil where nothing is left.
    fileprivate init?(_ rect: AVSubtitleRect) {
        let (width, height, stride) = (Int(rect.w), Int(rect.h), Int(rect.linesize.0))
        guard width > 0, height > 0, stride >= width, width <= 8192, height <= 8192, let source = rect.data.0,
            let colors = rect.data.1
        else { return nil }
        var palette = [UInt32](repeating: 0, count: 256)
        let count = min(256, max(0, Int(rect.nb_colors)))
        colors.withMemoryRebound(to: UInt32.self, capacity: count) { colors in
            for index in 0..<count { palette[index] = colors[index] }
        }
        let isSeen = palette.map { $0 >> 24 != 0 }
        var (left, right, top, bottom) = (width, 0, height, 0)
        for y in 0..<height {
            let row = source + y * stride
            guard let first = (0..<width).first(where: { isSeen[Int(row[$0])] }) else { continue }
            let last = (0..<width).last { isSeen[Int(row[$0])] } ?? first
            left = min(left, first)
            right = max(right, last + 1)
            top = min(top, y)
            bottom = y + 1
        }
        guard right > left, bottom > top else { return nil }
        var indices: [UInt8] = []
        indices.reserveCapacity((right - left) * (bottom - top))
        for y in top..<bottom {
            indices += UnsafeBufferPointer(start: source + y * stride + left, count: right - left)
        }
        self.init(
            x: Int(rect.x) + left, y: Int(rect.y) + top, width: right - left, height: bottom - top, indices: indices,
            palette: palette)
    }
}
