internal import Casting
internal import Media

/// An item that is opened and decoded while another one still plays.
extension ItemPlayback {
    /// How much of an item is read before its turn: enough to begin with, and no more.
    static let limitsAhead = PacketBuffer<Packet>.Limits(bytes: 8 << 20, seconds: 5, bytesBehind: 0)

    /// Opens the item and makes its first picture and samples, without touching an output. `start` is to follow, or `close`.
    func prepare() {
        pipeline.withLock { state in
            state.isAhead = true
            // Nothing pulls from its ring, so it may be filled.
            state.sound.silencedFor = state.generation
        }
        _ = thread("source") { SourceThread($0).run() }
    }

    /// Sets the rate of an item whose turn has not come.
    func adopt(rate: Double) {
        pipeline.withLock { $0.rate = rate }
        wake(.audio)
    }

    /// What is known of it as the item that plays.
    var outlook: AheadRule.Outlook {
        pipeline.withLock { state in
            let position = state.presentation.clock.position(at: .now)
            return AheadRule.Outlook(
                remaining: state.source.media?.duration.map { max(0, $0 - position) },
                isRead: state.sourceIsThere && state.source.packets.end != nil, rate: state.rate,
                hasFailed: state.source.failure != nil)
        }
    }

    /// Has this item's sound go on with another's, without a gap, once both are ready for it.
    /// - Returns: whether it will.
    func lead(to next: ItemPlayback) -> Bool {
        guard let ring = next.readyRing else { return false }
        return pipeline.withLock { state in
            guard let mine = state.sound.ring, mine.format == ring.format, state.rate != 0 else { return false }
            mine.follow(with: ring)
            state.sound.isFollowed = true
            return true
        }
    }

    /// Has this item's sound end with it.
    func leadNowhere() {
        pipeline.withLock { state in
            state.sound.ring?.follow(with: nil)
            state.sound.isFollowed = false
        }
    }

    /// Whether its last sample has been pulled.
    var isHeardOut: Bool { pipeline.withLock { $0.sound.ring?.isOver ?? false } }

    /// Whether its first samples have been pulled.
    var isBeingHeard: Bool { pipeline.withLock { $0.sound.ring?.reading != nil } }

    /// Its samples, once it has as many as it takes to begin, and its first picture.
    private var readyRing: AudioRing? {
        pipeline.withLock { state in
            guard state.isAhead, state.source.failure == nil, state.sound.isReady,
                !state.source.hasPictures || !state.pictures.line.isEmpty || state.pictures.end != nil
            else { return nil }
            return state.sound.ring
        }
    }
}
