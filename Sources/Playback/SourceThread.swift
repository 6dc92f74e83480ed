internal import Casting
internal import Media

/// Opens an item and reads its packets into the buffer: the thread that waits for the network.
final class SourceThread {
    private enum Work {
        case leave
        case seek(generation: Int, to: Double, Cancellation)
        case read(run: Int)
    }

    private let item: ItemPlayback

    init(_ item: ItemPlayback) {
        self.item = item
    }

    /// Works until the item is closed or fails.
    func run() {
        do throws(CastError) {
            let demuxer = try open()
            while try work(demuxer) {}
        } catch {
            item.fail(error)
        }
    }

    private func open() throws(CastError) -> Demuxer {
        let cancellation = item.pipeline.withLock { $0.source.cancellation }
        let budget = CacheBudget(ahead: item.settings.cacheBytes / 2, behind: item.settings.cacheBytes / 2)
        let demuxer = try Demuxer(item.supply, cancellation: cancellation, budget: budget)
        var selector = TrackSelector(
            TrackOption.options(of: demuxer.streams), preferences: item.settings.tracks.beaten(by: item.item))
        let choice = try TrackChoice(selector)
        let streams = choice.streams(of: selector, readsAll: !demuxer.loadsStreamsSeparately)
        let texts = item.openSubtitles(demuxer, &selector)
        demuxer.select(streams.union(texts))
        var media = OpenedMedia(
            container: demuxer.container, streams: demuxer.streams, selector: selector, choice: choice,
            duration: demuxer.isPicture ? item.item.pictureDuration : demuxer.duration, isLive: demuxer.isLive,
            isSeekable: demuxer.isSeekable, tags: demuxer.tags, chapters: demuxer.chapters,
            isPicture: demuxer.isPicture, pictureDuration: item.item.pictureDuration, traffic: demuxer.traffic)
        item.findArtwork(demuxer.artwork)
        if let size = demuxer.byteCount, let duration = demuxer.duration, duration > 0, !demuxer.isPicture {
            media.byteRate = Double(size) / duration
        }
        let separate = demuxer.loadsStreamsSeparately
        let refused = item.pipeline.withLock { [media] state -> Reply<SeekOutcome>? in
            state.source.media = media
            state.source.streams = streams
            state.source.texts = texts
            state.source.readsAllTexts = !separate
            // Places are found by the picture, where there is one.
            let order = [choice.video, choice.audio].compactMap(\.self)
            state.source.packets = PacketBuffer(
                streams: order + streams.subtracting(order).sorted(),
                limits: state.isAhead ? ItemPlayback.limitsAhead : item.settings.bufferLimits, isFromStart: true)
            state.takeSound(from: 0)
            let refused = state.settleTarget()
            // Reading begins at the start, which is where a fresh demuxer is.
            state.source.generation = state.target == 0 || !media.isSeekable ? state.generation : -1
            return refused
        }
        refused?.give(
            SeekOutcome(finished: false, position: 0, reason: .outOfRange, seekableTimeRanges: media.seekableRanges))
        if let stream = media.stream(choice.video) {
            _ = item.thread("video") { VideoThread($0, stream: stream).run() }
        }
        if let stream = media.stream(choice.audio) {
            _ = item.thread("audio") { AudioThread($0, stream: stream, serial: 0).run() }
        }
        item.wake()
        return demuxer
    }

    /// Does one thing.
    /// - Returns: false when there is nothing more to do, ever.
    private func work(_ demuxer: Demuxer) throws(CastError) -> Bool {
        let work: Work = item.wait(.source) { state in
            let wanted = state.source.streams.union(state.source.texts)
            if wanted != demuxer.selectedStreams { demuxer.select(wanted) }
            if state.isClosed || state.source.failure != nil { return .done(.leave) }
            if state.source.generation != state.generation {
                return .done(.seek(generation: state.generation, to: state.target, state.source.cancellation))
            }
            if state.hasEnoughForFirstPicture { return .wait() }
            return state.source.packets.mayTakeMore ? .done(.read(run: state.source.run)) : .wait()
        }
        switch work {
        case .leave: return false
        case .seek(let generation, let target, let cancellation):
            demuxer.cancellation = cancellation
            do throws(CastError) {
                demuxer.textUnderWay = item.restartSubtitles(at: target)
                try demuxer.seek(to: target)
                arrived(generation, broken: nil)
            } catch {
                if error.code != .operationCancelled { arrived(generation, broken: error) }
            }
        case .read(let run):
            do throws(CastError) {
                let packet = try demuxer.nextPacket()
                updateDuration(demuxer.duration)
                take(packet, run: run)
            } catch {
                // What is encrypted is so from the first to the last, and nothing of it is worth showing.
                if error.code == .contentIsProtected { throw error }
                // A seek or the end of the item interrupts; anything else ends the reading where it is.
                if error.code != .operationCancelled { end(.broken(error), run: run) }
            }
        }
        return true
    }

    private func arrived(_ generation: Int, broken error: CastError?) {
        item.pipeline.withLock { state in
            guard state.generation == generation else { return }
            state.source.run += 1
            state.source.packets.removeAll(isFromStart: state.target == 0)
            state.source.packets.end = error.map { .broken($0) }
            state.source.generation = generation
        }
        item.wake()
    }

    private func take(_ packet: Packet?, run: Int) {
        guard let packet else { return end(.complete, run: run) }
        if item.subtitles.push(packet) { return }
        item.pipeline.withLock { state in
            guard state.source.run == run else { return }
            state.source.packets.push(
                packet, stream: packet.streamIndex, time: packet.presentationTime ?? packet.decodeTime,
                duration: packet.duration, bytes: packet.byteCount,
                isKey: packet.isKey)
            if state.pictures.starve { item.wake(.video) }
            if state.sound.starves { item.wake(.audio) }
            if state.presentation.waitsForBuffer || state.presentation.evaluatingSince != nil
                || state.source.packets.isFull
            {
                item.wake(.conductor)
            }
        }
        item.tell(.progressed)
    }

    /// Where the media's clock jumps, the duration is other than was thought.
    private func updateDuration(_ duration: Double?) {
        let isNew = item.pipeline.withLock { state in
            guard let media = state.source.media, !media.isPicture, media.duration != duration else { return false }
            state.source.media?.duration = duration
            return true
        }
        if isNew { item.tell(.changed) }
    }

    private func end(_ end: PacketBuffer<Packet>.End, run: Int) {
        item.pipeline.withLock { state in
            guard state.source.run == run else { return }
            state.source.packets.end = end
        }
        item.wake()
        item.tell(.progressed)
    }
}
