public import Casting

#if canImport(Glibc)
    internal import Glibc
#endif

/// A sound device that nobody hears: pulls samples at the pace of the machine's clock and drops them.
///
/// Takes the place of a device that cannot be opened, so that everything else goes on as ever.
public final class SilentAudioOutput: AudioOutput {
    private struct State {
        var ring: AudioRing?
        /// Told to stop pulling, and whether the thread is between two pulls.
        var thread: PlayerThread?
        var isClosed = false
        var isPulling = false
    }

    private let format: AudioOutputFormat
    private let onPull: @Sendable (UnsafeMutableBufferPointer<Float>) -> Void
    private let state = Monitor(State(), conditions: 2)
    private static let period = 0.02

    /// A device with a format of one's choice.
    public convenience init(sampleRate: Int = 48_000, channelCount: Int = 2) {
        self.init(format: AudioOutputFormat(sampleRate: sampleRate, channelCount: channelCount, latency: 0)) { _ in }
    }

    /// A device that shows what it pulls, on its own thread.
    package init(format: AudioOutputFormat, onPull: @escaping @Sendable (UnsafeMutableBufferPointer<Float>) -> Void) {
        self.format = format
        self.onPull = onPull
    }

    deinit { close() }

    /// Begins to pull.
    public func start(_ ring: AudioRing) throws(CastError) {
        let started = state.withLock { state -> Result<Void, CastError> in
            state.ring = ring
            guard state.thread == nil else { return .success(()) }
            let (monitor, format, onPull) = (self.state, self.format, self.onPull)
            state.isClosed = false
            return Result { () throws(CastError) in
                state.thread = try PlayerThread(name: "silence") { Self.run(monitor, format: format, onPull: onPull) }
            }
        }
        try started.get()
        state.signal()
    }

    /// The format it was made with.
    public func openedFormat() throws(CastError) -> AudioOutputFormat { format }

    /// Stops pulling.
    public func pause() {
        state.wait(on: 1) { state in
            state.ring = nil
            return state.isPulling ? .wait() : .done(())
        }
    }

    /// Stops pulling and ends the thread.
    public func close() {
        let thread = state.withLock { state in
            state.isClosed = true
            state.ring = nil
            defer { state.thread = nil }
            return state.thread
        }
        state.signal()
        thread?.join(within: 1)
    }

    private static func run(
        _ monitor: Monitor<State>, format: AudioOutputFormat,
        onPull: @Sendable (UnsafeMutableBufferPointer<Float>) -> Void
    ) {
        let frames = Int(period * Double(format.sampleRate))
        let buffer = Memory<Float>(repeating: 0, count: frames * format.channelCount)
        let samples = UnsafeMutableBufferPointer(start: buffer.pointer, count: buffer.count)
        var next: HostTime?
        while true {
            let ring: AudioRing? = monitor.wait { state in
                if state.isClosed { return .done(nil) }
                guard let ring = state.ring else {
                    next = nil
                    return .wait()
                }
                let now = HostTime.now
                // After a pause, or where the machine was away for long, the pace begins anew.
                if let due = next, now.seconds(since: due) < 1 {
                    if now < due { return .wait(until: due) }
                } else {
                    next = now
                }
                state.isPulling = true
                return .done(ring)
            }
            guard let ring else { return }
            ring.read(into: samples, at: next ?? .now)
            onPull(samples)
            next = next?.advanced(by: period)
            monitor.withLock { $0.isPulling = false }
            monitor.signal(1)
        }
    }
}
