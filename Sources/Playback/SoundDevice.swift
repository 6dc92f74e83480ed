internal import Casting

/// The device for sound as the player's threads use it: one at a time, and silence where the real one fails.
///
/// Silence pulls at the device's pace, so whatever goes by the sound goes on from where it was. Meanwhile a thread of its
/// own tries for the device, ever less often, and has it go on where silence is once it is there.
final class SoundDevice: Sendable {
    private struct State {
        /// What is pulled from; nil while nothing is to be heard.
        var ring: AudioRing?
        /// What samples are made in; nil while the device is closed.
        var format: AudioOutputFormat?
        /// Whether a thread tries for the real device, which is its own as long as it does.
        var isRetrying = false
        /// Whether it was lost again while it was being opened.
        var isLostAgain = false
        /// Whether silence pulls: not before the real device is closed.
        var usesSilence = false
        var backOff = DeviceBackOff()
        var opened = HostTime.now
    }

    private let real: any AudioOutput
    private let silence: SilentAudioOutput
    private let state = Monitor(State())

    /// A device that nobody has opened yet.
    init(_ output: any AudioOutput) {
        real = output
        silence = SilentAudioOutput()
        output.setLossHandler { [weak self] in self?.giveUp() }
    }

    deinit {
        if !state.withLock({ $0.isRetrying }) { real.close() }
    }

    /// The format to make samples in. Opens the device.
    func openedFormat() -> AudioOutputFormat {
        let (format, failed) = state.withLock { state -> (AudioOutputFormat, Bool) in
            if let format = state.format { return (format, false) }
            if !state.isRetrying, let format = try? real.openedFormat() {
                state.opened = .now
                state.format = format
                return (format, false)
            }
            let format = AudioOutputFormat(sampleRate: 48_000, channelCount: 2, latency: 0)
            state.format = format
            return (format, true)
        }
        if failed { giveUp() }
        return format
    }

    /// Begins to pull from `ring`, or goes on.
    func start(_ ring: AudioRing) {
        let failed = state.withLock { state in
            state.ring = ring
            if state.format == nil { state.format = ring.format }
            guard !state.isRetrying else {
                if state.usesSilence { try? silence.start(ring) }
                return false
            }
            return (try? real.start(ring)) == nil
        }
        if failed { giveUp() }
    }

    /// Stops pulling.
    func pause() {
        state.withLock { state in
            state.ring = nil
            if !state.isRetrying { real.pause() } else if state.usesSilence { silence.pause() }
        }
    }

    /// Gives up a device that was lost or does not pull, and goes on in silence until there is one again.
    func giveUp() {
        let isNew = state.withLock { state in
            state.isLostAgain = true
            guard state.format != nil, !state.isRetrying else { return false }
            state.isRetrying = true
            state.backOff.lost(after: HostTime.now.seconds(since: state.opened))
            return true
        }
        guard isNew else { return }
        // What ends this thread is that the device is closed; until then it keeps what it needs.
        // Without a thread it stays silent until the device is asked for anew.
        _ = try? PlayerThread(name: "lost sound") { [self] in retry() }
    }

    /// Gives the device back. The next use tries the real one again.
    func close() {
        state.withLock { state in
            state.ring = nil
            state.format = nil
            silence.close()
            if !state.isRetrying { real.close() }
        }
        state.signal()
    }

    // MARK: The device lost

    private func retry() {
        // May take long where the sound system hangs, so with nothing locked.
        real.abandon()
        state.withLock { state in
            state.usesSilence = true
            if let ring = state.ring { try? silence.start(ring) }
        }
        while let format = waitForAttempt() {
            guard (try? real.reopen(as: format)) != nil else { continue }
            if takeBack(format) { return }
            real.abandon()
        }
    }

    /// Waits until the next attempt is due.
    /// - Returns: the format to open in; nil once the device is not wanted any more.
    private func waitForAttempt() -> AudioOutputFormat? {
        let due = state.withLock { HostTime.now.advanced(by: $0.backOff.next()) }
        return state.wait { state in
            guard let format = state.format else {
                real.close()
                state.isRetrying = false
                state.usesSilence = false
                return .done(nil)
            }
            guard HostTime.now >= due else { return .wait(until: due) }
            state.isLostAgain = false
            return .done(format)
        }
    }

    /// Has the device, open again, go on where silence is.
    /// - Returns: false where it is not to, or cannot after all.
    private func takeBack(_ format: AudioOutputFormat) -> Bool {
        state.withLock { state in
            guard state.format == format, !state.isLostAgain else { return false }
            silence.pause()
            if let ring = state.ring {
                guard (try? real.start(ring)) != nil else {
                    try? silence.start(ring)
                    return false
                }
            }
            silence.close()
            state.isRetrying = false
            state.usesSilence = false
            state.opened = .now
            return true
        }
    }
}
