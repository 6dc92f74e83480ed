internal import Casting
internal import Media

/// What an item adds to the state document.
struct ItemSnapshot {
    var item: ItemState
    var timeline: Timeline
    /// What keeps it from playing; nil when nothing does.
    var obstacle: TimeControl.Obstacle?
    var readyForDisplay: Bool
    var statistics: PlaybackStatistics
}

extension ItemPlayback {
    /// What is true of the item now.
    func snapshot(at now: HostTime = .now) -> ItemSnapshot {
        pipeline.withLock { state in
            ItemSnapshot(
                item: itemState(state, now: now), timeline: state.timeline(at: now), obstacle: state.obstacle,
                readyForDisplay: state.pictures.shown != nil, statistics: state.presentation.statistics)
        }
    }

    /// Why the item cannot be played; nil while it can.
    var failure: CastError? { pipeline.withLock { $0.source.failure } }

    private func itemState(_ state: Pipeline, now: HostTime) -> ItemState {
        var result = ItemState(id: id, title: item.title, artist: item.artist, artworkURL: item.artworkURL)
        result.error = state.source.failure
        result.status = state.source.failure != nil ? .failed : state.source.media == nil ? .unknown : .readyToPlay
        guard let media = state.source.media else { return result }
        result.title = item.title ?? media.tags.title
        result.artist = item.artist ?? media.tags.artist
        result.duration = media.duration
        result.isLive = media.isLive
        result.seekableTimeRanges = state.seekableRanges ?? []
        result.container = media.container
        result.notice = media.notice
        (result.album, result.track, result.date) = (media.tags.album, media.tags.track, media.tags.date)
        result.artworkType = artworkShelf.artwork?.mediaType
        result.chapters = media.chapters.isEmpty ? nil : media.chapters
        // The cover of a record is no track.
        result.tracks = media.streams.filter { !$0.isAttachedPicture }.map { stream in
            let played = [media.choice.video, media.choice.audio, media.selector.selected(.legible)?.stream]
            return stream.track(selected: played.contains(stream.index))
        }
        result.presentationSize = state.pictures.look?.size ?? media.stream(media.choice.video)?.presentationSize
        // Screens are SDR: anything else is tone-mapped.
        result.dynamicRange = state.pictures.look.map { ShownDynamicRange(media: $0.range, shown: .sdr) }
        result.mediaSelectionGroups = media.selector.groups
        guard state.source.failure == nil else { return result }
        let level = state.level(at: now)
        result.likelyToKeepUp = state.presentation.policy.isLikelyToKeepUp(level)
        result.bufferFull = state.source.packets.isFull
        let position = state.timeline(at: now).position
        if state.sourceIsThere, let held = state.source.packets.heldRange {
            result.loadedTimeRanges = [TimeRange(start: held.start, end: min(held.end, media.duration ?? held.end))]
        }
        let isHeld = result.loadedTimeRanges.contains { $0.start <= position && position < $0.end }
        // In a stall what is left, if anything, does not make a picture.
        let isDry = [media.choice.video, media.choice.audio].compactMap(\.self).contains {
            state.source.packets.isEmpty($0)
        }
        let hasRunOut = state.presentation.hasStalled && isDry && !level.endRead
        result.bufferEmpty = hasRunOut || !isHeld && state.pictures.line.isEmpty
        return result
    }
}
