internal import Casting
internal import Media

/// Decodes an item's sound, converts it for the device and fills the ring.
final class AudioThread {
    private enum Work {
        case leave
        case restart(generation: Int, landing: Double)
        case change(rate: Double)
        case write
        case decode(Packet)
        case drain
        case silence(seconds: Double)
        case finish
    }

    /// What makes samples of packets, and where they go.
    private struct Chain {
        var decoder: AudioDecoder
        var converter: AudioConverter
        var speed: SpeedChanger
        var ring: AudioRing
    }

    /// Seconds that the ring holds, and are there before playback begins.
    static let ringSeconds = 0.4
    private static let startSeconds = 0.1
    /// Gaps and overlaps in seconds below this are taken for rounding.
    private static let tolerance = 0.02
    /// Seconds by which pictures may outlast the sound without silence between it and the next item's: one picture's time.
    private static let longestCut = 0.042
    /// Seconds of silence made at a time.
    private static let silenceSeconds = 0.02

    private let item: ItemPlayback
    private let stream: MediaStream
    private var leveller: Leveller?
    /// Which of the streams that were played this one is; once there is a later one, the thread is done.
    private let serial: Int
    private var generation = -1
    private var rate = 1.0
    private var isDrained = false
    /// Whether the ring was told that nothing more comes.
    private var isFinished = false
    private var drySpell = DrySpell()
    /// The item time up to which samples have been made, and up to which they are in the ring.
    private var madeTime = 0.0
    private var time = 0.0
    /// Samples that wait for room in the ring, and how many of their frames are written.
    private var pending: AudioChunk?
    private var pendingDone = 0
    /// Whether the ring was filled up and is left alone for a while.
    private var isResting = false
    /// The last generation that the conductor was told of.
    private var announcedGeneration = -1

    init(_ item: ItemPlayback, stream: MediaStream, serial: Int) {
        self.item = item
        self.stream = stream
        self.serial = serial
    }

    /// Works until the item is closed or fails.
    func run() {
        do throws(CastError) {
            let decoder = try AudioDecoder(stream)
            let format = item.sound.openedFormat()
            let (sampleRate, channelCount) = (format.sampleRate, format.channelCount)
            let ring = AudioRing(format: format, seconds: Self.ringSeconds, gain: item.gain)
            let chain = Chain(
                decoder: decoder, converter: AudioConverter(sampleRate: sampleRate, channelCount: channelCount),
                speed: SpeedChanger(sampleRate: sampleRate, channelCount: channelCount), ring: ring)
            item.pipeline.withLock { state in
                guard state.sound.serial == serial else { return }
                state.sound.ring = ring
                state.sound.samples = SampleTimeline(sampleRate: format.sampleRate)
            }
            if item.item.normalizesLoudness == true {
                leveller = Leveller(tag: stream.loudness, sampleRate: sampleRate, channelCount: channelCount)
            }
            // It may have changed since the ring was made.
            ring.setGain(item.gain)
            item.wake(.conductor)
            while try work(chain) {}
        } catch {
            leave(because: error)
        }
    }

    /// Gives up; where there is another sound, that one plays instead.
    private func leave(because error: CastError) {
        let isOver = item.pipeline.withLock { state in
            guard state.sound.serial == serial, var selector = state.source.media?.selector else { return true }
            selector.exclude(String(stream.index))
            guard let other = selector.selected(.audible)?.stream, state.source.packets.holds(other) else {
                return false
            }
            state.source.media?.selector = selector
            state.sound.wanted = other
            return true
        }
        if isOver { item.wake(.conductor) } else { item.fail(error) }
    }

    private func work(_ chain: Chain) throws(CastError) -> Bool {
        switch item.wait(.audio, { nextWork(&$0, ring: chain.ring) }) {
        case .leave: return false
        case .restart(let generation, let landing):
            chain.decoder.flush()
            chain.converter.reset()
            chain.converter.startTime = landing
            chain.speed.reset(rate: rate)
            chain.ring.discard()
            // A device sounds late: until the new samples are heard, the old ones must not say where playback is.
            let rate = chain.ring.format.sampleRate
            item.pipeline.withLock { $0.sound.samples = SampleTimeline(sampleRate: rate) }
            self.generation = generation
            (isDrained, isFinished, drySpell, pending) = (false, false, DrySpell(), nil)
            (madeTime, time) = (landing, landing)
        case .change(let rate): try change(to: rate, chain)
        case .write: write(to: chain.ring)
        case .decode(let packet):
            try chain.decoder.send(packet)
            try receive(chain)
        case .drain:
            try chain.decoder.send(nil)
            try receive(chain)
            if let chunk = try chain.converter.drain() { _ = try take(chunk, chain) }
            isDrained = true
        case .silence(let seconds):
            let frames = max(1, Int((seconds * Double(chain.ring.format.sampleRate)).rounded()))
            try makeSilence(frames: frames, chain)
        case .finish:
            isFinished = true
            hand(try chain.speed.drain())
            if try writeAll(chain) { finish(chain.ring) }
        }
        return true
    }

    private func nextWork(_ state: inout Pipeline, ring: AudioRing) -> Monitor<Pipeline>.Step<Work> {
        if state.isClosed || state.source.failure != nil || state.sound.serial != serial { return .done(.leave) }
        guard state.sourceIsThere else { return .wait() }
        if state.generation != generation {
            // The ring may be emptied once the device pulls no more, and filled once it is known from where.
            guard state.sound.silencedFor == state.generation, state.landingIsSettled, let landing = state.landing
            else { return .wait() }
            if state.rate != 0 { rate = state.rate }
            return .done(.restart(generation: state.generation, landing: landing))
        }
        if state.rate != 0, state.rate != rate { return .done(.change(rate: state.rate)) }
        if pending != nil {
            return hasRoom(ring) ? .done(.write) : waitForRoom(state, ring)
        }
        if let packet = state.source.packets.pop(stream.index) {
            drySpell.end()
            state.sound.starves = false
            if state.source.packets.mayTakeMore { item.wake(.source) }
            return .done(.decode(packet))
        }
        if isDrained { return isFinished ? .wait() : .done(ending(&state)) }
        if state.source.packets.end != nil { return .done(.drain) }
        return starve(&state, ring: ring)
    }

    /// What to do once the stream has been decoded.
    private func ending(_ state: inout Pipeline) -> Work {
        guard state.source.media?.choice.video != nil else { return .finish }
        // The clock runs by sound, so sound goes on, silent, for as long as there are pictures.
        guard let end = state.pictures.end ?? readPicturesEnd(state) else {
            return .silence(seconds: Self.silenceSeconds)
        }
        let rest = end - madeTime
        // No silence between this sound and the next item's: the last picture gives way a little early instead.
        if state.sound.isFollowed, rest <= Self.longestCut {
            state.sound.cutsPictures = true
            return .finish
        }
        return rest > 0.000_1 ? .silence(seconds: min(rest, Self.silenceSeconds)) : .finish
    }

    /// Where the pictures end by what was read of them, with the next item to join: samples are made further ahead than
    /// pictures are decoded, and silence made meanwhile would come between the two items.
    private func readPicturesEnd(_ state: Pipeline) -> Double? {
        guard state.sound.isFollowed, let video = state.source.media?.choice.video else { return nil }
        return state.source.packets.readUpTo(video)
    }

    /// Whether to write now. Once filled up, the ring is left alone until half of it was heard: that makes few wake-ups.
    private func hasRoom(_ ring: AudioRing) -> Bool {
        isResting = ring.room == 0 || (isResting && ring.room < ring.capacity / 2)
        return !isResting
    }

    private func waitForRoom<Result>(_ state: Pipeline, _ ring: AudioRing) -> Monitor<Pipeline>.Step<Result> {
        guard state.presentation.phase == .running else { return .wait() }
        let frames = Double(ring.capacity / 2 - ring.room)
        return .wait(until: HostTime.now.advanced(by: max(0.005, frames / Double(ring.format.sampleRate))))
    }

    /// Waits for packets; where none may come for long, silence takes their place.
    private func starve(_ state: inout Pipeline, ring: AudioRing) -> Monitor<Pipeline>.Step<Work> {
        let now = HostTime.now
        if state.source.isAbsent(stream.index, at: madeTime, waited: drySpell.seconds(at: now)) {
            state.sound.starves = false
            return .done(.silence(seconds: Self.silenceSeconds))
        }
        if !state.sound.starves {
            state.sound.starves = true
            item.wake(.source)
            item.wake(.conductor)
        }
        return .wait(until: drySpell.nextLook(at: now))
    }

    // MARK: Making samples

    private func receive(_ chain: Chain) throws(CastError) {
        while let frame = try chain.decoder.receive() {
            guard let chunk = try chain.converter.convert(frame), chunk.frameCount > 0 else { continue }
            guard try take(chunk, chain) else { return }
        }
    }

    /// Takes the samples of a stretch of the item on to the ring, in place of a gap before them silence, and without
    /// those whose time has been filled already.
    /// - Returns: whether they were still wanted.
    private func take(_ chunk: AudioChunk, _ chain: Chain) throws(CastError) -> Bool {
        var chunk = chunk
        if chunk.time - madeTime > Self.tolerance, !(try fill(until: chunk.time, chain)) { return false }
        if madeTime - chunk.time > Self.tolerance { chunk.trim(before: madeTime) }
        guard chunk.frameCount > 0 else { return true }
        madeTime = chunk.endTime
        leveller?.process(&chunk.samples)
        hand(try chain.speed.process(chunk))
        return try writeAll(chain)
    }

    /// Writes silence up to an item time. A gap can be hours long, so it goes piece by piece.
    /// - Returns: whether the samples are still wanted.
    private func fill(until end: Double, _ chain: Chain) throws(CastError) -> Bool {
        let sampleRate = chain.ring.format.sampleRate
        while true {
            let frames = min(sampleRate / 10, Int(((end - madeTime) * Double(sampleRate)).rounded()))
            guard frames > 0 else { return true }
            try makeSilence(frames: frames, chain)
            guard try writeAll(chain) else { return false }
        }
    }

    private func makeSilence(frames: Int, _ chain: Chain) throws(CastError) {
        let format = chain.ring.format
        let chunk = AudioChunk(
            samples: [Float](repeating: 0, count: frames * format.channelCount), channelCount: format.channelCount,
            sampleRate: format.sampleRate, time: madeTime)
        madeTime = chunk.endTime
        hand(try chain.speed.process(chunk))
    }

    /// Makes what waits to be heard anew for another rate, but for what the device is about to pull.
    private func change(to rate: Double, _ chain: Chain) throws(CastError) {
        self.rate = rate
        let ring = chain.ring
        let fade = ring.format.sampleRate / 200
        // The device may pull while the samples are made: then again, from a little later.
        for attempt in 1...5 {
            let pull = max(ring.largestPull, ring.format.sampleRate / 100)
            guard let old = ring.waiting(behind: pull + attempt * ring.format.sampleRate / 100, count: fade),
                let start = item.pipeline.withLock({ $0.sound.samples.time(ofFrame: Double(old.frame))?.time })
            else { break }
            let made = try chain.speed.change(to: rate, from: start, over: old.samples)
            guard ring.takeBack(from: old.frame, leaving: attempt < 5 ? pull : 0) else { continue }
            item.pipeline.withLock { if $0.sound.serial == serial { $0.sound.samples.cut(at: old.frame) } }
            isResting = false
            return resume(with: made, at: start, ring)
        }
        // There is so little in the ring that nothing is gained by taking it back.
        resume(with: try chain.speed.change(to: rate, from: time, over: []), at: time, ring)
    }

    private func resume(with made: AudioChunk?, at start: Double, _ ring: AudioRing) {
        pending = nil
        time = start
        isFinished = false
        hand(made)
        write(to: ring)
    }

    // MARK: Writing

    /// Takes over samples to be written.
    private func hand(_ chunk: AudioChunk?) {
        guard let chunk, chunk.frameCount > 0 else { return }
        pending = chunk
        pendingDone = 0
    }

    /// Writes all that is pending, waiting for room.
    /// - Returns: whether it was still wanted.
    private func writeAll(_ chain: Chain) throws(CastError) -> Bool {
        while pending != nil {
            let work: Work = item.wait(.audio) { state in
                guard !state.isClosed, state.source.failure == nil, isCurrent(state) else {
                    return .done(.leave)
                }
                if state.rate != 0, state.rate != rate { return .done(.change(rate: state.rate)) }
                return hasRoom(chain.ring) ? .done(.write) : waitForRoom(state, chain.ring)
            }
            switch work {
            case .write: write(to: chain.ring)
            case .change(let rate): try change(to: rate, chain)
            default: return false
            }
        }
        return true
    }

    /// Whether what this thread makes is still to be heard.
    private func isCurrent(_ state: Pipeline) -> Bool {
        state.generation == generation && state.sound.serial == serial
    }

    private func write(to ring: AudioRing) {
        guard let chunk = pending else { return }
        // The conductor must know what samples belong to before the device can pull them.
        let frame = ring.writtenFrames
        item.pipeline.withLock { state in
            guard state.sound.serial == serial else { return }
            state.sound.samples.append(frame: frame, time: chunk.time(at: pendingDone), rate: chunk.rate)
        }
        let done = chunk.samples.withUnsafeBufferPointer { samples in
            ring.write(UnsafeBufferPointer(rebasing: samples[(pendingDone * chunk.channelCount)...]))
        }
        pendingDone += done
        time = chunk.time(at: pendingDone)
        if pendingDone == chunk.frameCount { pending = nil }
        guard announcedGeneration != generation else { return }
        if Double(ring.waiting) >= Self.startSeconds * Double(ring.format.sampleRate) || ring.room == 0 { announce() }
    }

    /// Tells the conductor that there is enough to begin with.
    private func announce() {
        announcedGeneration = generation
        let isAhead = item.pipeline.withLock { state in
            if isCurrent(state) { state.sound.isReady = true }
            return state.isAhead
        }
        item.wake(.conductor)
        if isAhead { item.tell(.progressed) }
    }

    private func finish(_ ring: AudioRing) {
        announce()
        item.pipeline.withLock { state in
            guard isCurrent(state) else { return }
            state.sound.end = time
            // After a break, nothing goes on.
            if case .complete = state.source.packets.end { ring.setFinished(true) }
        }
        item.wake(.conductor)
    }
}
