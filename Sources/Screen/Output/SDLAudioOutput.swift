internal import CSDL
internal import Casting
internal import Playback
internal import Synchronization
internal import Threads

#if canImport(Glibc)
    internal import Glibc
#endif

/// Sound through SDL: the device's thread pulls from the player's ring.
///
/// SDL goes on while paused, with silence, and looks for new devices ten times a second. So the device is closed a while
/// after a pause, and opened again to go on: by then all that was pulled has been played.
final class SDLAudioOutput: AudioOutput {
    /// How many frames the device asks for at a time: 21 ms at 48 kHz.
    private static let period: UInt16 = 1024
    /// Seconds after a pause when the device is closed.
    private static let restAfter = 1.0

    private struct State {
        var device: SDL_AudioDeviceID = 0
        var format: AudioOutputFormat?
        /// Whether SDL's sound is started.
        var isStarted = false
        /// Since when it is paused; nil while it pulls or is closed.
        var pausedSince: HostTime?
        /// Whether a thread waits to close it.
        var isToRest = false
        var whenLost: @Sendable () -> Void = {}
    }

    private let name: String?
    private let state = Mutex(State())
    private let feed = AudioFeed()

    /// - Parameter name: the device's name; the system's default where nil.
    init(deviceName name: String?) {
        self.name = name
    }

    deinit { close() }

    func openedFormat() throws(CastError) -> AudioOutputFormat {
        try state.withLock { (state) throws(CastError) in try open(&state) }
    }

    func start(_ ring: AudioRing) throws(CastError) {
        try state.withLock { (state) throws(CastError) in
            let format = try open(&state)
            if state.device == 0 { try wake(&state, format) }
            state.pausedSince = nil
            SDL_LockAudioDevice(state.device)
            feed.ring = ring
            SDL_UnlockAudioDevice(state.device)
            SDL_PauseAudioDevice(state.device, 0)
        }
    }

    func pause() {
        let restsLater = state.withLock { state in
            guard state.device != 0 else { return false }
            SDL_PauseAudioDevice(state.device, 1)
            state.pausedSince = .now
            guard !state.isToRest, Self.mayRest else { return false }
            state.isToRest = true
            return true
        }
        guard restsLater else { return }
        let isStarted = OwnThread.start("sound at rest") { [weak self] in
            var seconds: Double? = Self.restAfter
            while let rest = seconds {
                usleep(UInt32(rest * 1e6))
                seconds = self?.restIfDue()
            }
        }
        if !isStarted { state.withLock { $0.isToRest = false } }
    }

    /// Closes the device if it has been paused for long.
    /// - Returns: the seconds until it may be; nil where there is nothing to close any more.
    private func restIfDue() -> Double? {
        state.withLock { state in
            guard let since = state.pausedSince, state.device != 0 else {
                state.isToRest = false
                return nil
            }
            let rest = Self.restAfter - HostTime.now.seconds(since: since)
            guard rest <= 0 else { return rest + 0.01 }
            state.isToRest = false
            shut(&state)
            return nil
        }
    }

    /// Opens the device anew, as it was.
    private func wake(_ state: inout State, _ format: AudioOutputFormat) throws(CastError) {
        try startSystem(&state)
        var wanted = specification(rate: format.sampleRate, channels: format.channelCount)
        state.device = SDL_OpenAudioDevice(name, 0, &wanted, nil, 0)
        guard state.device != 0 else { throw unavailable("The sound device cannot be opened again.") }
    }

    /// Whether the device may be closed and go on later: one that is a file would begin anew.
    private static var mayRest: Bool { SDL_GetCurrentAudioDriver().map { String(cString: $0) } != "disk" }

    func close() {
        state.withLock { state in
            shut(&state)
            state.format = nil
        }
    }

    private func shut(_ state: inout State) {
        // Waits for a callback that runs.
        if state.device != 0 { SDL_CloseAudioDevice(state.device) }
        feed.ring = nil
        state.device = 0
        state.pausedSince = nil
        // SDL's sound looks for new devices ten times a second as long as it is started: not while nothing plays.
        if state.isStarted { SDL_QuitSubSystem(SDL_INIT_AUDIO) }
        state.isStarted = false
    }

    func abandon() {
        state.withLock { state in
            if state.device != 0 { SDL_CloseAudioDevice(state.device) }
            feed.ring = nil
            state.device = 0
            state.pausedSince = nil
            // SDL stays started: where a sound server has no device, starting it again would crash in SDL.
        }
    }

    func setLossHandler(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenLost = handler }
    }

    /// Takes in that the device of that number is gone. SDL goes on pulling from the ring until it is closed.
    func deviceRemoved(_ device: SDL_AudioDeviceID) {
        let whenLost = state.withLock { $0.device == device && device != 0 ? $0.whenLost : nil }
        whenLost?()
    }

    func reopen(as format: AudioOutputFormat) throws(CastError) {
        try state.withLock { (state) throws(CastError) in
            try startSystem(&state)
            // Whatever the device there is now works in, SDL converts for it.
            for name in name.map({ [$0, nil] }) ?? [nil] {
                var wanted = specification(rate: format.sampleRate, channels: format.channelCount)
                state.device = SDL_OpenAudioDevice(name, 0, &wanted, nil, 0)
                guard state.device == 0 else {
                    state.format = format
                    return
                }
            }
            throw unavailable("The sound device cannot be opened.")
        }
    }

    private func open(_ state: inout State) throws(CastError) -> AudioOutputFormat {
        if let format = state.format { return format }
        try startSystem(&state)
        var wanted = specification(rate: 48000, channels: preferredChannels())
        var got = SDL_AudioSpec()
        let changes = SDL_AUDIO_ALLOW_FREQUENCY_CHANGE | SDL_AUDIO_ALLOW_CHANNELS_CHANGE
        let device = SDL_OpenAudioDevice(name, 0, &wanted, &got, changes | SDL_AUDIO_ALLOW_SAMPLES_CHANGE)
        guard device != 0 else {
            let what = name.map { "The sound device “\($0)”" } ?? "The sound device"
            throw unavailable("\(what) cannot be opened.")
        }
        // SDL cannot be asked what lies before the loudspeaker: two periods is what such systems hold.
        let format = AudioOutputFormat(
            sampleRate: Int(got.freq), channelCount: Int(got.channels),
            latency: 2 * Double(got.samples) / Double(max(1, got.freq)))
        state.device = device
        state.format = format
        return format
    }

    private func startSystem(_ state: inout State) throws(CastError) {
        guard !state.isStarted else { return }
        castway_alsa_be_quiet()
        guard SDL_InitSubSystem(SDL_INIT_AUDIO) == 0 else { throw unavailable("There is no sound system.") }
        state.isStarted = true
    }

    /// The device's own number of channels where the player can fill it, else two.
    private func preferredChannels() -> Int {
        var device = SDL_AudioSpec()
        guard name == nil, SDL_GetDefaultAudioInfo(nil, &device, 0) == 0, [1, 2, 6, 8].contains(device.channels) else {
            return 2
        }
        return Int(device.channels)
    }

    private func specification(rate: Int, channels: Int) -> SDL_AudioSpec {
        var specification = SDL_AudioSpec()
        specification.freq = Int32(rate)
        specification.format = SDL_AudioFormat(CASTWAY_SDL_AUDIO_F32)
        specification.channels = UInt8(channels)
        specification.samples = Self.period
        specification.callback = pullSamples
        specification.userdata = Unmanaged.passUnretained(feed).toOpaque()
        return specification
    }

    private func unavailable(_ sentence: String) -> CastError {
        CastError(
            .outputUnavailable, sentence,
            hint: "Run “castreceiver check” to see the sound devices there are.", details: ["sdl": SDLError.latest])
    }
}

/// What the device's thread pulls from. Outlives the device, as the output that owns both closes it first.
private final class AudioFeed: Sendable {
    // Written only while the device is locked or closed, so never while the callback reads it.
    nonisolated(unsafe) var ring: AudioRing?
}

/// Called by SDL on the device's thread.
private let pullSamples: SDL_AudioCallback = { userdata, stream, length in
    guard let userdata, let stream else { return }
    let count = Int(length) / MemoryLayout<Float>.stride
    stream.withMemoryRebound(to: Float.self, capacity: count) { samples in
        let buffer = UnsafeMutableBufferPointer(start: samples, count: count)
        let feed = Unmanaged<AudioFeed>.fromOpaque(userdata).takeUnretainedValue()
        if let ring = feed.ring {
            ring.read(into: buffer, at: .now)
        } else {
            buffer.update(repeating: 0)
        }
    }
}
