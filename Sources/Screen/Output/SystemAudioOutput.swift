internal import CSDL
internal import Casting
internal import Playback
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#endif

/// Sound straight to a PulseAudio server where there is one, else through SDL.
///
/// Which of the two it is, is decided anew whenever the device is opened.
final class SystemAudioOutput: AudioOutput {
    private enum Way {
        case none
        case pulse(PulseStream?)
        case sdl
    }
    private struct State {
        var way = Way.none
        var whenLost: @Sendable () -> Void = {}
    }

    private let name: String?
    private let sdl: SDLAudioOutput
    private let state = Mutex(State())

    /// - Parameter name: the device's name; the system's default where nil.
    init(deviceName name: String?) {
        self.name = name
        sdl = SDLAudioOutput(deviceName: name)
    }

    deinit { close() }

    /// Whether people have not asked SDL for another sound system than this.
    static var mayUsePulse: Bool {
        guard let driver = getenv("SDL_AUDIODRIVER").map({ String(cString: $0) }), !driver.isEmpty else { return true }
        return driver.split(separator: ",").first == "pulseaudio"
    }

    /// The sound system in use, by SDL's name; nil while the device is closed.
    var driver: String? {
        switch state.withLock({ $0.way }) {
        case .none: nil
        case .pulse: "pulseaudio"
        case .sdl: SDL_GetCurrentAudioDriver().map { String(cString: $0) }
        }
    }

    /// The devices of that sound system by name; none while the device is closed.
    var devices: [String] {
        switch state.withLock({ $0.way }) {
        case .none: []
        case .pulse: (try? PulseServer(patience: 2))?.devices() ?? []
        case .sdl:
            (0..<max(0, SDL_GetNumAudioDevices(0))).compactMap { index in
                SDL_GetAudioDeviceName(index, 0).map { String(cString: $0) }
            }
        }
    }

    func openedFormat() throws(CastError) -> AudioOutputFormat {
        try state.withLock { (state) throws(CastError) in try open(&state) }
    }

    func start(_ ring: AudioRing) throws(CastError) {
        try state.withLock { (state) throws(CastError) in
            _ = try open(&state)
            if case .pulse(let stream) = state.way { stream?.play(ring) } else { try sdl.start(ring) }
        }
    }

    func pause() {
        state.withLock { state in
            if case .pulse(let stream) = state.way { stream?.stop() } else { sdl.pause() }
        }
    }

    func close() {
        state.withLock { state in
            state.way = .none
            sdl.close()
        }
    }

    func abandon() {
        state.withLock { state in
            if case .pulse = state.way { state.way = .pulse(nil) } else { sdl.abandon() }
        }
    }

    func reopen(as format: AudioOutputFormat) throws(CastError) {
        try state.withLock { (state) throws(CastError) in
            guard case .pulse = state.way else { return try sdl.reopen(as: format) }
            // Whatever the device there is now works in, the server converts for it.
            let wanted = (rate: format.sampleRate, channels: format.channelCount)
            if name != nil, let stream = try? pulse(name, wanted, state) {
                state.way = .pulse(stream)
            } else {
                state.way = .pulse(try pulse(nil, wanted, state))
            }
        }
    }

    func setLossHandler(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenLost = handler }
        sdl.setLossHandler(handler)
    }

    /// Takes in that SDL's device of that number is gone.
    func deviceRemoved(_ device: SDL_AudioDeviceID) { sdl.deviceRemoved(device) }

    private func open(_ state: inout State) throws(CastError) -> AudioOutputFormat {
        switch state.way {
        case .pulse(let stream?): return stream.format
        case .pulse(nil): throw CastError(.outputUnavailable, "The sound device has been lost.")
        case .sdl: return try sdl.openedFormat()
        case .none:
            if Self.mayUsePulse, let stream = try? pulse(name, nil, state) {
                state.way = .pulse(stream)
                return stream.format
            }
            let format = try sdl.openedFormat()
            state.way = .sdl
            return format
        }
    }

    private func pulse(
        _ device: String?, _ format: (rate: Int, channels: Int)?, _ state: borrowing State
    ) throws(CastError) -> PulseStream {
        try PulseStream(device: device, format: format, whenLost: state.whenLost)
    }
}
