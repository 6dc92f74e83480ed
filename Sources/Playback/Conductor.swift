internal import Casting
internal import Media

/// The one thread of an item that starts, stops and ends things: it hands pictures to the screen at their time, sets the
/// sound going and keeps the clock.
///
/// It looks at what is shared, decides on the next thing to do (`step`), does it with nothing locked, and looks again; in
/// between it sleeps until a time it knows or until it is woken.
final class Conductor {
    /// What it does with nothing locked.
    enum Action {
        /// Nothing; it only wants to look again.
        case lookAgain
        case leave
        /// Stop both outputs for a new generation.
        case silence(generation: Int)
        case present(QueuedPicture, due: HostTime)
        /// The first picture of a generation is up, or its sound is ready.
        case answer(SeekAnswer?)
        case startSound(AudioRing)
        /// Take over from the item before, whose sound has gone over into this one's.
        case join(AudioRing)
        /// Stop both outputs, and make samples of another stream.
        case changeSound(MediaStream, serial: Int)
        /// Stop both outputs; what they were to show and play comes later.
        case halt
        /// Stop both outputs, for playback ran dry.
        case stall(pauses: Bool)
        case tell(ItemReport)
        case giveUpDevice
        case end
        case fail(CastError)
        case darken
    }

    /// A seek that has come to where it was to go.
    struct SeekAnswer {
        var reply: Reply<SeekOutcome>
        var from: Double
        var to: Double
        var reason: TimeJump.Reason
    }

    let item: ItemPlayback
    /// When the item must have become ready.
    let loadDeadline: HostTime
    /// When figures were last told.
    var lastTick = HostTime.now
    /// The rate that was last told; nil while not moving.
    var toldRate: Double?
    /// When sound was last set going.
    var soundStart = HostTime.now
    private var hasDarkened = false

    init(_ item: ItemPlayback, loadDeadline: HostTime) {
        self.item = item
        self.loadDeadline = loadDeadline
    }

    /// Works until the item is closed.
    func run() {
        while true {
            let action = item.wait(.conductor) { state in
                let step = step(&state, now: HostTime.now)
                // With nothing left to do at once, the wishes so far are fulfilled; but for a device that is to begin.
                if case .wait = step, !state.presentation.clock.awaitsSound { acknowledge(&state) }
                return step
            }
            if case .leave = action { break }
            perform(action)
        }
        leave()
    }

    private func acknowledge(_ state: inout Pipeline) {
        for reply in state.wishReplies { reply.give(()) }
        state.wishReplies = []
    }

    // MARK: Deciding

    /// The next thing to do, or until when to wait.
    func step(_ state: inout Pipeline, now: HostTime) -> Monitor<Pipeline>.Step<Action> {
        if state.isClosed { return .done(.leave) }
        if state.presentation.phase == .over {
            guard state.darkens, !hasDarkened else { return .wait() }
            hasDarkened = true
            return .done(.darken)
        }
        if let failure = state.source.failure {
            state.presentation.phase = .over
            state.presentation.clock.stop(at: now)
            return .done(.fail(failure))
        }
        if state.presentation.joins, let ring = state.sound.ring, state.generation == 0 {
            state.presentation.join(0, at: state.landing ?? state.target, now: now)
            soundStart = now
            return .done(.join(ring))
        }
        if state.presentation.generation != state.generation { return .done(beginGeneration(&state, now: now)) }
        if state.presentation.owesPicture {
            state.presentation.owesPicture = false
            return .done(.tell(.changed))
        }
        if let change = changeSound(&state, now: now) { return .done(change) }
        return switch state.presentation.phase {
        case .preparing: prepare(&state, now: now)
        case .standing: stand(&state, now: now)
        case .running: move(&state, now: now)
        case .over: .wait()
        }
    }

    private func beginGeneration(_ state: inout Pipeline, now: HostTime) -> Action {
        state.presentation.beginGeneration(state.generation, at: now)
        state.pictures.handed = nil
        toldRate = nil
        return .silence(generation: state.generation)
    }

    // MARK: Doing

    private func perform(_ action: Action) {
        switch action {
        case .lookAgain, .leave: break
        case .silence(let generation):
            item.supply.noteDry(true)
            item.video.flush()
            item.sound.pause()
            item.pipeline.withLock { $0.sound.silencedFor = generation }
            item.wake(.audio)
        case .present(let picture, let due): present(picture, due: due)
        case .answer(let seek):
            // First told, then answered: whoever has the answer finds the state as it says.
            item.tell(seek.map { .jumped(from: $0.from, to: $0.to, $0.reason) } ?? .changed)
            item.ready.give(.success(()))
            seek?.reply.give(SeekOutcome(finished: true, position: seek?.to ?? 0))
        case .startSound(let ring): item.sound.start(ring)
        case .join(let ring):
            item.sound.start(ring)
            item.wake(.audio)
            item.tell(.changed)
            item.ready.give(.success(()))
        case .changeSound(let stream, let serial): changeSound(to: stream, serial: serial)
        case .halt:
            item.video.flush()
            item.sound.pause()
            item.tell(.changed)
        case .stall(let pauses):
            item.supply.noteDry(true)
            item.video.flush()
            item.sound.pause()
            item.tell(.ranDry(isNews: true, pauses: pauses))
        case .tell(let report): item.tell(report)
        case .giveUpDevice: item.sound.giveUp()
        case .end:
            if !isFollowed { item.sound.pause() }
            item.tell(.ended)
        case .fail(let error):
            item.video.flush()
            item.sound.pause()
            item.pipeline.withLock { state in
                state.letGo()
                return state.source.cancellation
            }.cancel()
            item.wake()
            item.tell(.failed(error))
            answerAll(because: error)
        case .darken: darken()
        }
    }

    private func present(_ picture: QueuedPicture, due: HostTime) {
        // The output keeps its last picture for long; that must not keep the item.
        item.video.enqueue(
            Picture(frame: picture.frame, dueTime: due, subtitles: item.subtitles) { [weak item] instant in
                guard let item else { return }
                let (isNews, isFirst) = item.pipeline.withLock { state in
                    let waits = state.showsFirstPicture
                    return (state.noteShown(picture, at: instant), waits)
                }
                guard isNews else { return }
                item.wake(.conductor)
                if isFirst { item.wakeThoseAtRest() }
            })
    }

    private func darken() {
        item.video.flush()
        item.video.clear()
        item.sound.close()
    }

    /// Whether it has come to its end, and the device goes on with the next item.
    private var isFollowed: Bool {
        item.pipeline.withLock { state in
            state.presentation.isPastEnd && state.source.failure == nil && state.sound.isFollowed
        }
    }

    private func leave() {
        item.video.flush()
        if !isFollowed { item.sound.pause() }
        let darkens = item.pipeline.withLock { state in
            state.letGo()
            return state.darkens
        }
        if darkens, !hasDarkened { darken() }
        answerAll(because: CastError(.operationCancelled, "Something else took its place."))
    }

    private func answerAll(because error: CastError) {
        item.ready.give(.failure(error))
        let (seek, position) = item.pipeline.withLock { state in
            defer { state.seek = nil }
            acknowledge(&state)
            state.answerChanges()
            return (state.seek?.reply, state.timeline(at: .now).position)
        }
        seek?.give(SeekOutcome(finished: false, position: position, reason: .cancelled))
    }
}
