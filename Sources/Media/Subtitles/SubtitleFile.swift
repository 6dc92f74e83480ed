import CFFmpeg
public import Casting

/// A file of subtitles beside the media, read as a whole.
public struct SubtitleFile: Sendable {
    /// All its cues, as they lie in the file.
    public let cues: [SubtitleCue]
    /// How they are to be read.
    public let script: SubtitleScript

    /// What a file may have at most: longer than any film's subtitles, bitmaps aside.
    static let limit = 32 << 20

    /// Loads and reads a file; blocks until it is there.
    ///
    /// - Throws: the errors of the network and of HTTP, `fileFormatNotRecognized`, `fileFailedToParse`,
    ///   `decoderNotFound`, `operationCancelled`.
    public init(_ location: MediaLocation, cancellation: Cancellation) throws(CastError) {
        let network = Network(MediaSupply(location), cancellation: cancellation)
        let source = try ByteSource(location.url, network: network)
        guard let bytes = try source.readAll(limit: Self.limit) else {
            throw CastError(
                .fileFailedToParse, "The file of subtitles is far too long.",
                hint: "Check that the address leads to subtitles.")
        }
        try self.init(bytes, path: location.url, cancellation: cancellation)
    }

    /// Reads a file's bytes.
    ///
    /// - Parameter path: its name, or a URL that ends in it.
    package init(_ bytes: [UInt8], path: String, cancellation: Cancellation = Cancellation()) throws(CastError) {
        MediaLog.takeOver()
        let isBitmap = bytes.starts(with: Array("PG".utf8))
        var bytes = isBitmap ? bytes : TextEncoding.utf8(bytes)
        guard let name = Self.format(of: bytes, path: path, isBitmap: isBitmap) else {
            throw CastError(
                .fileFormatNotRecognized, "This is no file of subtitles that can be shown.",
                hint: "SRT, WebVTT and ASS can.")
        }
        switch name {
        case "srt": bytes = Self.numbered(bytes)
        case "webvtt": bytes = Self.cuesOnly(bytes)
        case "ass": bytes = Self.inUsualOrder(bytes)
        default: break
        }
        let network = Network(MediaSupply(MediaLocation(url: path)), cancellation: cancellation)
        let input = try InputContext(MemoryBytes(bytes), network: network)
        let context = try Self.open(input, format: name)
        defer {
            var context: UnsafeMutablePointer<AVFormatContext>? = context
            avformat_close_input(&context)
        }
        guard context.pointee.nb_streams > 0, let stream = context.pointee.streams[0],
            let parameters = stream.pointee.codecpar
        else { throw CastError(.fileFailedToParse, "There is nothing in the file of subtitles.") }
        let decoder = try SubtitleDecoder(
            parameters.pointee.codec_id, parameters: parameters, timeBase: stream.pointee.time_base, itemStart: 0)
        script = decoder.script
        let packet = try allocated(Packet.makeObject())
        var cues: [SubtitleCue] = []
        while av_read_frame(context, packet.pointer) >= 0 {
            defer { av_packet_unref(packet.pointer) }
            if packet.pointer.pointee.stream_index == 0 { cues += decoder.decode(packet.pointer) }
            try cancellation.check()
        }
        guard !cues.isEmpty else {
            throw CastError(
                .fileFailedToParse, "There is nothing to read in the file of subtitles.",
                hint: "Check that it is the right one.")
        }
        self.cues = cues
    }

    private static func open(
        _ input: InputContext, format name: String
    ) throws(CastError) -> UnsafeMutablePointer<AVFormatContext> {
        guard let format = av_find_input_format(name), let context = avformat_alloc_context() else {
            throw CastError(averror: CFF_ERROR_DEMUXER_NOT_FOUND, doing: "opening the subtitles")
        }
        context.pointee.pb = input.pointer
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        // None of these formats leads to other files; if one ever does, it finds none.
        context.pointee.io_open = { _, _, _, _, _ in CFF_ERROR_PROTOCOL_NOT_FOUND }
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        let code = avformat_open_input(&opened, nil, format, nil)
        guard code >= 0, let opened else { throw CastError(averror: code, doing: "opening the subtitles") }
        return opened
    }

    /// libavformat's demuxers for subtitles alone.
    private static let known: Set<String> = [
        "srt", "webvtt", "ass", "microdvd", "mpl2", "mpsub", "pjs", "realtext", "sami", "stl", "subviewer",
        "subviewer1", "vplayer", "jacosub", "sup",
    ]

    private static let byExtension = [
        "srt": "srt", "vtt": "webvtt", "ass": "ass", "ssa": "ass", "smi": "sami", "sami": "sami", "rt": "realtext",
        "jss": "jacosub", "mpl": "mpl2", "pjs": "pjs", "stl": "stl",
    ]

    /// The demuxer for a file: what it looks like, else what its name says, else SRT where it has SRT's arrows.
    static func format(of bytes: [UInt8], path: String, isBitmap: Bool) -> String? {
        if isBitmap { return "sup" }
        let beginning = bytes.prefix(8192) + [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
        var copy = Array(beginning)
        let probed = copy.withUnsafeMutableBufferPointer { buffer -> String? in
            var data = AVProbeData()
            data.buf = buffer.baseAddress
            data.buf_size = Int32(buffer.count) - AVPROBE_PADDING_SIZE
            var score: Int32 = 0
            guard let format = av_probe_input_format3(&data, 1, &score), score > 25 else { return nil }
            return String(String(cString: format.pointee.name).prefix { $0 != "," })
        }
        if let probed, known.contains(probed), probed != "sup" { return probed }
        let name = path.prefix { $0 != "?" && $0 != "#" }
        let text = String(decoding: beginning, as: UTF8.self)
        if let dot = name.lastIndex(of: "."), let format = byExtension[name[name.index(after: dot)...].lowercased()] {
            // A page that says there is no such file is not SRT whatever its name.
            return format == "srt" && !text.contains("-->") ? nil : format
        }
        return text.contains("-->") ? "srt" : nil
    }
}
