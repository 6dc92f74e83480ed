internal import Casting
internal import Media

/// How one sound takes the place of another while all else stays where it is.
extension Conductor {
    /// Begins to play another stream of sound, if that is wished: both outputs stop for the moment it takes to make the
    /// first samples, and then go on from the same place.
    func changeSound(_ state: inout Pipeline, now: HostTime) -> Action? {
        // At the end there is nothing more to hear; it counts from the next seek on.
        guard let index = state.sound.wanted, !state.presentation.isPastEnd else { return nil }
        state.sound.wanted = nil
        guard let stream = state.source.media?.stream(index), index != state.source.media?.choice.audio else {
            state.answerChanges()
            return nil
        }
        state.presentation.clock.stop(at: now)
        state.presentation.phase = .preparing
        state.pictures.putBackHanded()
        if state.presentation.isAnswered { state.landing = state.presentation.clock.position(at: now) }
        state.source.media?.choice.audio = index
        state.takeSound(from: state.landing ?? state.target)
        state.sound.beginGeneration()
        state.sound.serial += 1
        state.sound.ring = nil
        state.sound.silencedFor = -1
        toldRate = nil
        return .changeSound(stream, serial: state.sound.serial)
    }

    /// Stops the outputs and sets a thread going that makes the samples.
    func changeSound(to stream: MediaStream, serial: Int) {
        item.video.flush()
        item.sound.pause()
        item.pipeline.withLock { $0.sound.silencedFor = $0.presentation.generation }
        _ = item.thread("audio") { AudioThread($0, stream: stream, serial: serial).run() }
        // The thread before it sees that it is no longer wanted.
        item.wake(.audio)
        item.tell(.changed)
    }
}

extension Pipeline {
    /// Has the packets of the chosen sound taken, from an item time on, and those of the others held.
    mutating func takeSound(from time: Double) {
        guard let media = source.media, let audio = media.choice.audio else { return }
        let sounds = media.selector.options(of: .audible).compactMap(\.stream)
        source.packets.take(audio, of: source.streams.intersection(sounds), from: time)
    }

    /// Answers those who asked for another sound, once it is there or never will be.
    mutating func answerChanges() {
        guard sound.wanted == nil else { return }
        for reply in sound.changeReplies { reply.give(()) }
        sound.changeReplies = []
    }
}
