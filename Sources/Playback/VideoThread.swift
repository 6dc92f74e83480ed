internal import Casting
internal import Media

/// Decodes an item's pictures and puts them in line for the conductor.
final class VideoThread {
    private enum Work {
        case leave
        case restart(generation: Int)
        case decode(Packet)
        case drain
    }

    /// How many decoded pictures wait in line at most.
    private static let lineLength = 4
    /// What two times may differ and still be the same: timestamps are often rounded to milliseconds.
    private static let tolerance = 0.002

    /// Seconds from a key frame to a target that are decoded whatever that takes, and the seconds it may take beyond.
    private static let longWay = 20.0
    private static let longestWay = 4.0

    private let item: ItemPlayback
    private let stream: MediaStream
    private var generation = -1
    private var filter = LandingFilter<VideoFrame>(target: 0, tolerance: 0)
    private var isDrained = false
    /// How many pictures came out.
    private var count = 0
    /// The time of the picture to be seen at the target, by the packets; nil while it is not known.
    private var seen: Double?
    /// The item time up to which pictures have come, and how long there have been no more packets.
    private var time = 0.0
    private var drySpell = DrySpell()
    /// When to stop on a long way to the target.
    private var deadline: HostTime?

    init(_ item: ItemPlayback, stream: MediaStream) {
        self.item = item
        self.stream = stream
    }

    /// Works until the item is closed or fails.
    func run() {
        do throws(CastError) {
            let decoder = try VideoDecoder(stream, usesHardware: item.settings.usesHardware)
            while try work(decoder) {}
        } catch {
            item.fail(error)
        }
    }

    private func work(_ decoder: VideoDecoder) throws(CastError) -> Bool {
        switch item.wait(.video, nextWork) {
        case .leave: return false
        case .restart(let generation):
            decoder.flush()
            item.subtitles.restartCaptions()
            self.generation = generation
            (isDrained, drySpell, seen, count) = (false, DrySpell(), nil, 0)
            let (target, aim) = item.pipeline.withLock { ($0.target, $0.aim) }
            filter = LandingFilter(target: target - aim.toleranceBefore, tolerance: Self.tolerance, kind: aim.kind)
            time = target
        case .decode(let packet):
            // What is left out is thrown away in any case, and nothing refers to it.
            decoder.skipsNonReferenceFrames = filter.isFar(packet.presentationTime, seen: seen)
            try decoder.send(packet)
            try receive(decoder)
        case .drain:
            try decoder.send(nil)
            try receive(decoder)
            for frame in filter.finish(isComplete: endIsComplete) where !deliver(frame) { return true }
            isDrained = true
            finish()
        }
        return true
    }

    private func nextWork(_ state: inout Pipeline) -> Monitor<Pipeline>.Step<Work> {
        if state.isClosed || state.source.failure != nil { return .done(.leave) }
        guard state.sourceIsThere else { return .wait() }
        if state.generation != generation { return .done(.restart(generation: state.generation)) }
        // Before the first one is up, further ones would only take time from it.
        let enough = state.showsFirstPicture ? 1 : Self.lineLength
        if state.pictures.line.count >= enough || state.showsFirstPicture && state.pictures.handed != nil {
            return .wait()
        }
        if !filter.hasLanded, seen == nil {
            seen = state.source.packets.timeSeen(stream.index, at: state.target - state.aim.toleranceBefore)
        }
        if let packet = state.source.packets.pop(stream.index) {
            drySpell.end()
            state.pictures.starve = false
            state.pictures.areAbsent = false
            begin(&state, with: packet)
            if state.source.packets.mayTakeMore { item.wake(.source) }
            return .done(.decode(packet))
        }
        if isDrained { return .wait() }
        if state.source.packets.end != nil { return .done(.drain) }
        return starve(&state)
    }

    /// Looks at the first packet on the way to the target.
    private func begin(_ state: inout Pipeline, with packet: Packet) {
        guard !state.pictures.haveBegun else { return }
        state.pictures.haveBegun = true
        item.wake(.audio)
        let time = packet.presentationTime ?? packet.decodeTime ?? state.target
        deadline = nil
        guard state.target - time > Self.longWay, !state.isAhead else { return }
        // Where it leads is only known once it is there.
        deadline = HostTime.now.advanced(by: Self.longestWay)
        state.landing = nil
    }

    /// Stops on a way to the target that takes too long, and begins where it has come to.
    private func giveUpIfLate(at time: Double) {
        guard let deadline, !filter.hasLanded, HostTime.now > deadline else { return }
        filter.giveUp()
        item.pipeline.withLock { state in
            if state.generation == generation { (state.target, state.aim) = (time, .exact) }
        }
    }

    /// Waits for packets, and says so where none may come for long.
    private func starve(_ state: inout Pipeline) -> Monitor<Pipeline>.Step<Work> {
        let now = HostTime.now
        let waited = drySpell.seconds(at: now)
        if !state.pictures.starve {
            state.pictures.starve = true
            item.wake(.source)
        }
        let absent = state.source.isAbsent(stream.index, at: time, waited: waited)
        if absent != state.pictures.areAbsent {
            state.pictures.areAbsent = absent
            if absent, state.landing == nil { state.landing = state.target }
            item.wake(.conductor)
            item.wake(.audio)
        }
        return .wait(until: absent ? nil : drySpell.nextLook(at: now))
    }

    private func receive(_ decoder: VideoDecoder) throws(CastError) {
        while let frame = try decoder.receive() {
            if item.subtitles.pushCaptions(of: frame, stream: stream.index) { item.foundCaptions(in: stream.index) }
            let duration = self.duration(of: frame)
            giveUpIfLate(at: frame.presentationTime)
            for frame in filter.pass(frame, time: frame.presentationTime, duration: duration) where !deliver(frame) {
                return
            }
        }
    }

    /// Whether the stream has ended because there is no more of it, rather than because it could not be had.
    private var endIsComplete: Bool {
        item.pipeline.withLock { $0.source.packets.end?.error == nil }
    }

    private func duration(of frame: VideoFrame) -> Double {
        if let duration = frame.duration, duration > 0 { return duration }
        if let rate = stream.frameRate, rate > 0 { return 1 / rate }
        return 0.04
    }

    /// Puts a picture in line once there is room.
    /// - Returns: whether it was still wanted.
    private func deliver(_ frame: VideoFrame) -> Bool {
        let duration = duration(of: frame)
        time = max(time, frame.presentationTime + duration)
        count += 1
        var isAhead = false
        // The player joins an item that is opened ahead to the one that plays once its first picture is there.
        defer { if isAhead { item.tell(.progressed) } }
        return item.wait(.video) { state in
            guard !state.isClosed, state.source.failure == nil, state.generation == generation else {
                return .done(false)
            }
            // A decoder may give several at once; a few over the length do no harm, waiting here would not either.
            guard state.pictures.line.count < Self.lineLength else { return .wait() }
            isAhead = state.isAhead
            state.pictures.lastNumber += 1
            state.pictures.line.append(
                QueuedPicture(
                    frame: frame, duration: duration, number: state.pictures.lastNumber, generation: generation))
            if state.landing == nil { state.landing = state.landing(on: frame.presentationTime) }
            if state.pictures.line.count == 1 {
                item.wake(.conductor)
                item.wake(.audio)
            }
            return .done(true)
        }
    }

    private func finish() {
        item.pipeline.withLock { state in
            guard state.generation == generation else { return }
            state.pictures.end = state.source.media?.end(ofPictures: count, at: time) ?? time
            if state.landing == nil { state.landing = state.target }
        }
        item.wake(.conductor)
        item.wake(.audio)
    }
}
