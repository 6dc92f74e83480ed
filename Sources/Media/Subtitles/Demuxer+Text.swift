import CFFmpeg
import Casting

extension Demuxer {
    /// The fonts that come with the media (Matroska's attachments), up to 64 MiB in all.
    public var attachedFonts: [AttachedFont] {
        var left = 64 << 20
        return (0..<Int(context.pointer.pointee.nb_streams)).compactMap { index in
            guard let stream = context.stream(index), let parameters = stream.pointee.codecpar,
                parameters.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT, let data = parameters.pointee.extradata,
                parameters.pointee.extradata_size > 0, parameters.pointee.extradata_size <= left
            else { return nil }
            let name = tag("filename", in: stream.pointee.metadata) ?? "font \(index)"
            let type = tag("mimetype", in: stream.pointee.metadata)?.lowercased() ?? ""
            let isFont =
                [AV_CODEC_ID_TTF, AV_CODEC_ID_OTF].contains(parameters.pointee.codec_id) || type.contains("font")
                || type.contains("opentype") || [".ttf", ".otf", ".ttc"].contains { name.lowercased().hasSuffix($0) }
            guard isFont else { return nil }
            left -= Int(parameters.pointee.extradata_size)
            let bytes = UnsafeBufferPointer(start: data, count: Int(parameters.pointee.extradata_size))
            return AttachedFont(name: name, bytes: Array(bytes))
        }
    }
}

extension Demuxer {
    /// Seconds before a seek's target in which a cue that is still up may have begun.
    private static let textPreroll = 10.0

    /// After a seek in Matroska, whose key frames say nothing of text: begins again at the cue before the target, if the
    /// file's index knows of one that lies before the key frame, and reads on from there.
    func fetchTextUnderWay(at target: Double) throws(CastError) {
        guard context.name == "matroska", let guide, guide.kind == .visual,
            let keyFrame = indexed(guide, before: target)
        else { return }
        let cues = streams.filter { textUnderWay.contains($0.index) && selectedStreams.contains($0.index) }
            .compactMap { indexed($0, before: target) }
            .filter { $0 < keyFrame && $0 > target - Self.textPreroll }
        guard let first = cues.min() else { return }
        try jump(to: first)
        if try land(at: target) { return }
        try jump(to: target)
    }

    /// The time of the last place of a stream at or before `time` that the container's index names.
    private func indexed(_ stream: MediaStream, before time: Double) -> Double? {
        guard let source = context.stream(stream.index) else { return nil }
        let wanted = Int64(((time + itemStart) / av_q2d(stream.timeBase)).rounded(.down))
        guard let entry = avformat_index_get_entry_from_timestamp(source, wanted, AVSEEK_FLAG_BACKWARD) else {
            return nil
        }
        return stream.itemTime(entry.pointee.timestamp)
    }
}

extension FormatContext {
    /// Tells libavformat what it would otherwise search for, reading megabytes: the size of the canvas of subtitles that
    /// come only now and then. Their decoder finds the true one.
    func presumeCanvas() {
        for index in 0..<Int(pointer.pointee.nb_streams) {
            guard let parameters = stream(index)?.pointee.codecpar,
                parameters.pointee.codec_id == AV_CODEC_ID_HDMV_PGS_SUBTITLE, parameters.pointee.width == 0
            else { continue }
            parameters.pointee.width = 1920
            parameters.pointee.height = 1080
        }
    }
}

/// WebVTT in Matroska by its present name (`S_TEXT/WEBVTT`), which this libavformat does not know.
func nameWebVTT(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    guard parameters.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE, parameters.pointee.codec_id == AV_CODEC_ID_NONE,
        let data = parameters.pointee.extradata, parameters.pointee.extradata_size >= 6,
        UnsafeBufferPointer(start: data, count: 6).elementsEqual("WEBVTT".utf8)
    else { return }
    parameters.pointee.codec_id = AV_CODEC_ID_WEBVTT
}
