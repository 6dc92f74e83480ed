import CFFmpeg
import Casting

/// The streams of opened media as values, and which of them to play unless others are asked for.
struct StreamList {
    let streams: [MediaStream]
    let selected: Set<Int>
    /// Where item time 0 is on the container's clock, in seconds.
    let itemStart: Double
    /// Seconds by which a stream begins so late that no one can have meant it; it is played from the start then.
    let lateness: Double

    /// Seconds that a stream may begin after another.
    private static let latest = 300.0

    init(_ context: FormatContext) throws(CastError) {
        let video = best(AVMEDIA_TYPE_VIDEO, in: context, beside: -1)
        let audio = best(AVMEDIA_TYPE_AUDIO, in: context, beside: video)
        let chosen = [video, audio].filter { $0 >= 0 }
        let all = (0..<Int(context.pointer.pointee.nb_streams)).compactMap { context.stream($0) }
        let played = all.filter { chosen.contains($0.pointee.index) && !isAttachedPicture($0) }
        let starts = played.compactMap(startTime)
        let first = starts.min() ?? 0
        itemStart = first
        lateness = starts.filter { $0 - first > Self.latest }.min().map { $0 - first } ?? 0
        var list: [MediaStream] = []
        for stream in all where !isEmpty(stream, among: all) {
            let isBest = chosen.contains(stream.pointee.index)
            let isLate = (startTime(of: stream) ?? first) - first > Self.latest
            let zero = isLate ? first + lateness : first
            let value = try MediaStream(stream, in: context.pointer, itemStart: zero, isBest: isBest)
            if let value { list.append(value) }
        }
        streams = list
        selected = Set(chosen.map(Int.init))
    }
}

private func best(_ type: AVMediaType, in context: FormatContext, beside related: Int32) -> Int32 {
    let index = av_find_best_stream(context.pointer, type, -1, related, nil, 0)
    guard index >= 0, let stream = context.stream(Int(index)) else { return -1 }
    return isAttachedPicture(stream) ? -1 : index
}

/// Whether a stream has not one sample although the container counts those of others: a track that was never filled.
private func isEmpty(
    _ stream: UnsafeMutablePointer<AVStream>, among all: [UnsafeMutablePointer<AVStream>]
) -> Bool {
    stream.pointee.nb_frames == 0 && avformat_index_get_entries_count(stream) == 0
        && all.contains { $0.pointee.nb_frames > 0 && $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO }
        && stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
}

/// Where a stream begins on the container's clock, in seconds; nil where the container does not say.
private func startTime(of stream: UnsafeMutablePointer<AVStream>) -> Double? {
    guard stream.pointee.start_time != CFF_NO_TIME else { return nil }
    let start = Double(stream.pointee.start_time) * av_q2d(stream.pointee.time_base)
    // Matroska counts from the first sample that the codec gives, which is left out, not from the first to be heard.
    guard start < 0, let parameters = stream.pointee.codecpar?.pointee, parameters.initial_padding > 0,
        parameters.sample_rate > 0
    else { return start }
    return min(0, start + Double(parameters.initial_padding) / Double(parameters.sample_rate))
}

private func isAttachedPicture(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
}

extension MediaStream {
    /// Describes a stream; nil for kinds that are not played.
    init?(
        _ stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>, itemStart: Double,
        isBest: Bool
    ) throws(CastError) {
        guard let source = stream.pointee.codecpar else { return nil }
        switch source.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO: kind = .visual
        case AVMEDIA_TYPE_AUDIO: kind = .audible
        case AVMEDIA_TYPE_SUBTITLE: kind = .legible
        default: return nil
        }
        let copy = try allocated(
            CObject(avcodec_parameters_alloc()) { parameters in
                var parameters: UnsafeMutablePointer<AVCodecParameters>? = parameters
                avcodec_parameters_free(&parameters)
            })
        try check(avcodec_parameters_copy(copy.pointer, source), doing: "opening the media")
        nameWebVTT(copy.pointer)
        parameters = copy
        index = Int(stream.pointee.index)
        codec = String(cString: avcodec_get_name(copy.pointer.pointee.codec_id))
        language = tag("language", in: stream.pointee.metadata)
        // HLS says a rendition's name as a comment.
        let isPlaylist = context.pointee.iformat.map { String(cString: $0.pointee.name) == "hls" } ?? false
        title =
            tag("title", in: stream.pointee.metadata)
            ?? (isPlaylist ? tag("comment", in: stream.pointee.metadata) : nil)
        roles = StreamRoles(disposition: stream.pointee.disposition)
        self.isBest = isBest
        isDefault = stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0
        isAttachedPicture = Media.isAttachedPicture(stream)
        isDecodable = avcodec_find_decoder(copy.pointer.pointee.codec_id) != nil
        isProtected = Media.isProtected(stream)
        timeBase = stream.pointee.time_base
        sampleAspectRatio = stream.pointee.sample_aspect_ratio
        self.itemStart = itemStart
        soundStart = startTime(of: stream) ?? itemStart
        padding = SoundPadding(stream, in: context)
        bitRate = source.pointee.bit_rate > 0 ? Int(source.pointee.bit_rate) : nil
        let isSound = kind == .audible
        sampleRate = isSound && source.pointee.sample_rate > 0 ? Int(source.pointee.sample_rate) : nil
        channelCount =
            isSound && source.pointee.ch_layout.nb_channels > 0 ? Int(source.pointee.ch_layout.nb_channels) : nil
        let metadata = (stream.pointee.metadata, context.pointee.metadata)
        loudness = isSound ? LoudnessTag { tag($0, in: metadata.0) ?? tag($0, in: metadata.1) } : nil
        guard kind == .visual else {
            frameRate = nil
            presentationSize = nil
            orientation = nil
            hasAlpha = false
            peakLuminance = nil
            return
        }
        let rate = av_q2d(av_guess_frame_rate(context, stream, nil))
        frameRate = rate > 0 && rate <= 1000 ? rate : nil
        hasAlpha = tag("alpha_mode", in: stream.pointee.metadata) == "1"
        peakLuminance = ColourDescription.peak(
            light: av_stream_get_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, nil),
            mastering: av_stream_get_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, nil))
        var size = 0
        orientation = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size).flatMap { data in
            Orientation(sideData: data, size: size)
        }
        presentationSize = Geometry.displaySize(
            width: Int(source.pointee.width), height: Int(source.pointee.height),
            pixelAspects: [sampleAspectRatio.value, source.pointee.sample_aspect_ratio.value],
            orientation: orientation ?? Orientation())
    }
}

extension SoundPadding {
    /// What the container says of a stream.
    init(_ stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>) {
        guard let parameters = stream.pointee.codecpar?.pointee, parameters.sample_rate > 0 else { return }
        // A clock coarser than samples cannot tell.
        let clock = stream.pointee.time_base
        trustsLastPacket =
            [AV_CODEC_ID_AAC, AV_CODEC_ID_MP3, AV_CODEC_ID_OPUS].contains(parameters.codec_id)
            && Int(clock.den) >= Int(clock.num) * Int(parameters.sample_rate)
        if parameters.codec_id == AV_CODEC_ID_AAC, let text = tag("iTunSMPB", in: context.pointee.metadata) {
            sampleCount = Tag(text)?.sampleCount
        }
    }
}

extension Orientation {
    /// Reads side data of type display matrix.
    init?(sideData: UnsafeMutablePointer<UInt8>, size: Int) {
        guard size >= 36 else { return nil }
        let words = UnsafeRawPointer(sideData)
        self.init(displayMatrix: (0..<9).map { words.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) })
    }
}

extension AVRational {
    /// The fraction as a number; nil where it is none.
    var value: Double? { num > 0 && den > 0 ? Double(num) / Double(den) : nil }
}
