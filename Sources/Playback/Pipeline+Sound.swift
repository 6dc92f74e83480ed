extension Pipeline {
    /// The samples on their way to the device. Set by their decoder's thread; `silencedFor` by the conductor.
    struct Sound {
        var ring: AudioRing?
        var samples = SampleTimeline(sampleRate: 48_000)
        /// The generation for which the device was stopped, so that the ring may be emptied.
        var silencedFor = -1
        /// Whether enough samples of this generation are there to begin with.
        var isReady = false
        /// Whether the decoder waits for packets.
        var starves = false
        /// Whether the device goes on with the next item's samples at the end of these.
        var isFollowed = false
        /// Whether the last picture's time may be cut short by the end of the sound, for the next item to join.
        var cutsPictures = false
        /// The item time at which sound ends, once the decoder has given all.
        var end: Double?
        /// Counts the streams that were played: a thread that decodes another one than the last has nothing more to do.
        var serial = 0
        /// The stream to be played instead of the present one; nil for no change.
        var wanted: Int?
        /// To be answered once the stream that was asked for is heard.
        var changeReplies: [Reply<Void>] = []
    }
}

extension Pipeline.Sound {
    /// Expects samples from another place.
    mutating func beginGeneration() {
        isReady = false
        starves = false
        cutsPictures = false
        end = nil
    }
}
