internal import Casting
internal import Media

extension Pipeline {
    /// What the source has opened and read. Set by its thread, but for the cancellation, which a seek replaces.
    struct Source {
        var media: OpenedMedia?
        var cancellation = Cancellation()
        var packets = PacketBuffer<Packet>(streams: [], limits: .init(bytes: 0, seconds: 0))
        /// The generation that `packets` belongs to; less than the item's while the source is still on its way there.
        var generation = 0
        /// Counts the places that reading began at; packets read on from an older one are of no use.
        var run = 0
        /// The streams to be read.
        var streams: Set<Int> = []
        /// The streams of text to be read beside them.
        var texts: Set<Int> = []
        /// Whether those are all there are, whatever is chosen.
        var readsAllTexts = true
        /// Why the item cannot be played; final.
        var failure: CastError?
    }

    /// Whether packets of the present generation are to be had.
    var sourceIsThere: Bool { source.generation == generation && source.media != nil }

    /// Where one may seek: all over the media, or within what is held of it; nil before that is known.
    var seekableRanges: [TimeRange]? {
        guard let media = source.media else { return nil }
        if media.isSeekable, !media.isLive { return media.seekableRanges }
        return sourceIsThere ? source.packets.heldRange.map { [$0] } ?? [] : []
    }

    /// What is buffered, for the policy.
    func level(at now: HostTime) -> BufferingPolicy.Level {
        let position = presentation.clock.position(at: now)
        let duration = source.media?.duration
        // A first figure made of few bytes says more about the first answer's delay than about the source, and one made
        // in an instant more about the system's buffers.
        let figures = source.media?.traffic.figures
        let measured = figures.map { $0.measuredBytes >= 64 << 10 && $0.measuredSeconds >= 0.25 } ?? false
        return BufferingPolicy.Level(
            ahead: max(0, (source.packets.readUpTo ?? position) - position),
            remaining: source.media?.isLive == true ? nil : duration.map { max(0, $0 - position) },
            endRead: sourceIsThere && source.packets.end != nil, full: source.packets.isFull,
            throughput: measured ? figures?.bytesPerSecond : nil,
            byteRate: source.media?.byteRate ?? source.packets.byteRate,
            rate: rate == 0 ? 1 : rate)
    }

    /// Whether what is held does for the first picture, so that reading may rest until that is up.
    var hasEnoughForFirstPicture: Bool {
        guard showsFirstPicture, sourceIsThere, aim.kind == .at, !pictures.starve, !sound.starves else { return false }
        return source.packets.readUpTo ?? -.infinity >= target + 1
    }

    /// Checks where to begin once it is known where one can; a place that there is not is given up for the start.
    /// - Returns: who asked for such a place.
    mutating func settleTarget() -> Reply<SeekOutcome>? {
        guard let media = source.media, target != 0 else {
            landing = landing ?? target
            return nil
        }
        let end = media.duration ?? .infinity
        let isReachable = !media.isLive && target <= end + SeekRules.endTolerance
        let refused = isReachable ? nil : seek?.reply
        if refused != nil { seek = nil }
        target = isReachable ? min(target, end) : 0
        landing = target
        presentation.clock.set(position: target)
        return refused
    }
}

extension Pipeline.Source {
    /// Whether there is a stream for sound.
    var hasSound: Bool { media?.choice.audio != nil }

    /// Whether there is a stream for pictures.
    var hasPictures: Bool { media?.choice.video != nil }

    /// Whether nothing of a stream is to be expected although reading goes on: its data begins later, or is further
    /// away in the file than the buffer reaches.
    ///
    /// - Parameters:
    ///   - time: the item time up to which the stream has come.
    ///   - waited: seconds since it ran out of packets.
    func isAbsent(_ stream: Int, at time: Double, waited: Double) -> Bool {
        guard packets.isEmpty(stream) else { return false }
        if packets.isFull || packets.end != nil { return true }
        guard let others = packets.othersReadUpTo(stream) else { return false }
        return others - time >= 1 && waited >= DrySpell.patience
    }
}
