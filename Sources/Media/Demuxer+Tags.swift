import CFFmpeg
public import Casting

/// What the media says of itself.
public struct MediaTags: Hashable, Sendable {
    /// Its title.
    public var title: String?
    /// Who made it.
    public var artist: String?
    /// The record it is on.
    public var album: String?
    /// Its place on the record, as written: `3` or `3/12`.
    public var track: String?
    /// When it came out, as written: a year or a date.
    public var date: String?

    /// Nothing is known.
    public init() {}
}

extension Demuxer {
    /// Its tags.
    public var tags: MediaTags {
        var tags = MediaTags()
        tags.title = text("title")
        tags.artist = text("artist") ?? text("album_artist")
        tags.album = text("album")
        tags.track = text("track")
        tags.date = text("date") ?? text("year")
        return tags
    }

    /// The picture that goes with it; nil where there is none, or one of a kind that is not known.
    public var artwork: Artwork? {
        let pictures = (0..<Int(context.pointer.pointee.nb_streams)).compactMap { context.stream($0) }
            .filter { $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }
        let cover = pictures.first { tag("comment", in: $0.pointee.metadata)?.lowercased().contains("front") ?? false }
        guard let picture = (cover ?? pictures.first)?.pointee.attached_pic, let data = picture.data,
            (1...Self.largestArtwork).contains(Int(picture.size))
        else { return nil }
        return Artwork(Array(UnsafeBufferPointer(start: data, count: Int(picture.size))))
    }

    /// Its chapters in order, within its duration.
    public var chapters: [Chapter] {
        let format = context.pointer.pointee
        var list: [Chapter] = []
        for index in 0..<min(Int(format.nb_chapters), Self.mostChapters) {
            guard let chapter = format.chapters[index]?.pointee, chapter.start != CFF_NO_TIME else { continue }
            let unit = av_q2d(chapter.time_base)
            let end = chapter.end == CFF_NO_TIME ? .infinity : Double(chapter.end) * unit - itemStart
            list.append(
                Chapter(
                    title: tag("title", in: chapter.metadata), start: Double(chapter.start) * unit - itemStart, end: end
                ))
        }
        return ChapterList.ordered(list, duration: duration)
    }

    /// Bytes of the largest picture that is taken for artwork.
    static let largestArtwork = 16 << 20
    private static let mostChapters = 2000

    private func text(_ name: String) -> String? {
        if let text = tag(name, in: context.pointer.pointee.metadata) { return text }
        // Ogg has its tags on the stream. A film's track names are not the film's.
        guard context.name == "ogg" else { return nil }
        return streams.lazy.filter { $0.kind == .audible }.compactMap { self.context.stream($0.index) }
            .compactMap { tag(name, in: $0.pointee.metadata) }.first
    }
}

/// Puts chapters right: containers hold them in any order, past the end, and without ends.
enum ChapterList {
    /// The chapters in the order of time, each within the duration and ending no later than the next begins.
    static func ordered(_ chapters: [Chapter], duration: Double?) -> [Chapter] {
        let limit = duration ?? .infinity
        var list = chapters.map { chapter in
            var chapter = chapter
            chapter.start = max(0, chapter.start)
            return chapter
        }.filter { $0.start.isFinite && $0.start < limit }
        list.sort { $0.start < $1.start }
        for index in list.indices {
            let next = index + 1 < list.count ? list[index + 1].start : limit
            let end = min(list[index].end, next, limit)
            list[index].end = end.isFinite ? max(end, list[index].start) : list[index].start
        }
        return list
    }
}
