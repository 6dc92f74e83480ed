internal import Casting

/// The device for sound as the player's threads use it: one at a time, and silence where the real one fails.
final class SoundDevice: Sendable {
    private struct State {
        var usesSilence = false
    }

    private let real: any AudioOutput
    private let silence = SilentAudioOutput()
    private let state = Monitor(State())

    /// A device that nobody has opened yet.
    init(_ output: any AudioOutput) {
        real = output
    }

    /// The format to make samples in. Opens the device.
    func openedFormat() -> AudioOutputFormat {
        state.withLock { state in
            if !state.usesSilence, let format = try? real.openedFormat() { return format }
            state.usesSilence = true
            return AudioOutputFormat(sampleRate: 48_000, channelCount: 2, latency: 0)
        }
    }

    /// Begins to pull from `ring`, or goes on.
    func start(_ ring: AudioRing) {
        state.withLock { state in
            if !state.usesSilence, (try? real.start(ring)) != nil { return }
            state.usesSilence = true
            try? silence.start(ring)
        }
    }

    /// Stops pulling.
    func pause() {
        state.withLock { state in
            if state.usesSilence { silence.pause() } else { real.pause() }
        }
    }

    /// Gives up a device that does not pull, and goes on in silence.
    func replaceBySilence(_ ring: AudioRing) {
        state.withLock { state in
            guard !state.usesSilence else { return }
            real.close()
            state.usesSilence = true
            try? silence.start(ring)
        }
    }

    /// Gives the device back. The next use tries the real one again.
    func close() {
        state.withLock { state in
            silence.close()
            real.close()
            state.usesSilence = false
        }
    }
}
