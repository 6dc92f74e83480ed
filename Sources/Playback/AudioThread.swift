internal import Casting
internal import Media

/// Decodes an item's sound, converts it for the device and fills the ring.
final class AudioThread {
    private enum Work {
        case leave
        case restart(generation: Int, landing: Double)
        case write
        case decode(Packet)
        case drain
        case silence
    }

    /// Seconds that the ring holds, and are there before playback begins.
    static let ringSeconds = 0.4
    private static let startSeconds = 0.1
    /// Gaps and overlaps in seconds below this are taken for rounding.
    private static let tolerance = 0.02

    private let item: ItemPlayback
    private let stream: MediaStream
    private var generation = -1
    private var rate = 1.0
    private var isDrained = false
    private var dryingSince: HostTime?
    /// The item time up to which the ring is filled.
    private var time = 0.0
    /// Samples that wait for room in the ring, and how many of their frames are written.
    private var pending: AudioChunk?
    private var pendingDone = 0
    /// Whether the ring was filled up and is left alone for a while.
    private var isResting = false
    /// The last generation that the conductor was told of.
    private var announcedGeneration = -1

    init(_ item: ItemPlayback, stream: MediaStream) {
        self.item = item
        self.stream = stream
    }

    /// Works until the item is closed or fails.
    func run() {
        do throws(CastError) {
            let decoder = try AudioDecoder(stream)
            let format = item.sound.openedFormat()
            let ring = AudioRing(format: format, seconds: Self.ringSeconds, gain: item.gain)
            let converter = AudioConverter(sampleRate: format.sampleRate, channelCount: format.channelCount)
            item.pipeline.withLock { state in
                state.sound.ring = ring
                state.sound.samples = SampleTimeline(sampleRate: format.sampleRate)
            }
            // It may have changed since the ring was made.
            ring.setGain(item.gain)
            item.wake(.conductor)
            while try work(decoder, converter, ring) {}
        } catch {
            item.fail(error)
        }
    }

    private func work(
        _ decoder: AudioDecoder, _ converter: AudioConverter, _ ring: AudioRing
    ) throws(CastError) -> Bool {
        let work = item.wait(.audio) { nextWork(&$0, ring: ring) }
        converter.rate = rate
        switch work {
        case .leave: return false
        case .restart(let generation, let landing):
            decoder.flush()
            converter.reset()
            converter.startTime = landing
            ring.discard()
            self.generation = generation
            (isDrained, dryingSince, pending, time) = (false, nil, nil, landing)
        case .write: write(to: ring)
        case .decode(let packet):
            try decoder.send(packet)
            try receive(decoder, converter, ring)
        case .drain:
            try decoder.send(nil)
            try receive(decoder, converter, ring)
            if let chunk = try converter.drain(), place(chunk) { _ = writeAll(to: ring) }
            isDrained = true
            finish()
        case .silence:
            let frames = ring.format.sampleRate / 50
            pending = silence(frames: frames, ring.format, at: time)
            pendingDone = 0
        }
        return true
    }

    private func nextWork(_ state: inout Pipeline, ring: AudioRing) -> Monitor<Pipeline>.Step<Work> {
        if state.isClosed || state.source.failure != nil { return .done(.leave) }
        guard state.sourceIsThere else { return .wait() }
        if state.rate != 0 { rate = state.rate }
        if state.generation != generation {
            // The ring may be emptied once the device pulls no more, and filled once it is known from where.
            guard state.sound.silencedFor == state.generation, let landing = state.landing else { return .wait() }
            return .done(.restart(generation: state.generation, landing: landing))
        }
        if pending != nil {
            return hasRoom(ring) ? .done(.write) : waitForRoom(state, ring)
        }
        if let packet = state.source.packets.pop(stream.index) {
            dryingSince = nil
            state.sound.starves = false
            if state.source.packets.mayTakeMore { item.wake(.source) }
            return .done(.decode(packet))
        }
        if isDrained {
            // The clock runs by sound, so sound goes on, silent, for as long as there are pictures.
            let goesOn = state.source.media?.choice.video != nil && (state.pictures.end ?? .infinity) > time
            return goesOn ? .done(.silence) : .wait()
        }
        if state.source.packets.end != nil { return .done(.drain) }
        return starve(&state, ring: ring)
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
        let since = dryingSince ?? now
        dryingSince = since
        if state.source.isAbsent(stream.index, at: time, waited: now.seconds(since: since)) {
            state.sound.starves = false
            return .done(.silence)
        }
        if !state.sound.starves {
            state.sound.starves = true
            item.wake(.conductor)
        }
        return now.seconds(since: since) > 0.5 ? .wait() : .wait(until: since.advanced(by: 0.51))
    }

    private func receive(
        _ decoder: AudioDecoder, _ converter: AudioConverter, _ ring: AudioRing
    ) throws(CastError) {
        while let frame = try decoder.receive() {
            guard let chunk = try converter.convert(frame), chunk.frameCount > 0 else { continue }
            if chunk.time - time > Self.tolerance, !fill(until: chunk.time, rate: chunk.rate, ring) { return }
            if place(chunk), !writeAll(to: ring) { return }
        }
    }

    /// Writes silence up to an item time. A gap can be hours long, so it goes piece by piece.
    /// - Returns: whether the samples are still wanted.
    private func fill(until end: Double, rate: Double, _ ring: AudioRing) -> Bool {
        while end - time > 0.000_1 {
            let frames = min(
                ring.format.sampleRate / 10, Int(((end - time) / rate * Double(ring.format.sampleRate)).rounded()))
            guard frames > 0 else { return true }
            pending = silence(frames: frames, ring.format, at: time)
            pendingDone = 0
            guard writeAll(to: ring) else { return false }
        }
        return true
    }

    private func silence(frames: Int, _ format: AudioOutputFormat, at time: Double) -> AudioChunk {
        AudioChunk(
            samples: [Float](repeating: 0, count: frames * format.channelCount), channelCount: format.channelCount,
            sampleRate: format.sampleRate, time: time, rate: rate)
    }

    /// Takes over samples to be written, without those whose time has been filled already.
    /// - Returns: whether any are left.
    private func place(_ chunk: AudioChunk) -> Bool {
        var chunk = chunk
        if time - chunk.time > Self.tolerance { chunk.trim(before: time) }
        guard chunk.frameCount > 0 else { return false }
        pending = chunk
        pendingDone = 0
        return true
    }

    /// Writes all that is pending, waiting for room.
    /// - Returns: whether it was still wanted.
    private func writeAll(to ring: AudioRing) -> Bool {
        while pending != nil {
            let isWanted: Bool = item.wait(.audio) { state in
                guard !state.isClosed, state.source.failure == nil, state.generation == generation else {
                    return .done(false)
                }
                return hasRoom(ring) ? .done(true) : waitForRoom(state, ring)
            }
            guard isWanted else { return false }
            write(to: ring)
        }
        return true
    }

    private func write(to ring: AudioRing) {
        guard let chunk = pending else { return }
        // The conductor must know what samples belong to before the device can pull them.
        let frame = ring.writtenFrames
        item.pipeline.withLock { state in
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
        item.pipeline.withLock { state in
            if state.generation == generation { state.sound.isReady = true }
        }
        item.wake(.conductor)
    }

    private func finish() {
        announce()
        item.pipeline.withLock { state in
            if state.generation == generation { state.sound.end = time }
        }
        item.wake(.conductor)
    }
}
