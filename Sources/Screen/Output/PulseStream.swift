internal import CPulse
internal import Casting
internal import Playback
internal import Threads

/// A stream of samples to a PulseAudio server, which may be PipeWire's.
///
/// SDL has a way to such a server too, but cannot say when a sample will be heard, and sends silence while paused.
// Unchecked: what is behind the pointers is touched only with the main loop's lock held, which its thread holds itself.
final class PulseStream: @unchecked Sendable {
    /// Seconds that are at the server at most before they are mixed: what a late thread may cost.
    private static let ahead = 0.1
    /// Seconds of room after which the server asks for more.
    private static let step = 0.025
    /// Seconds that a server may take to answer.
    private static let patience = 5.0

    let format: AudioOutputFormat
    private let mainloop: OpaquePointer
    private let context: OpaquePointer
    private let stream: OpaquePointer
    /// What is pulled from; nil while nothing is to be pulled.
    private var ring: AudioRing?
    /// The ring whose samples are at the server, how often its samples had been thrown away by then, and whether it has
    /// stopped since.
    private var last: (ring: AudioRing, discardCount: Int)?
    private var isStopped = true
    private var isLost = false
    private let whenLost: @Sendable () -> Void

    /// Opens a stream, which stands.
    ///
    /// - Parameters:
    ///   - device: the device as the server names or describes it; where nil, the one it takes by default.
    ///   - format: what the samples are to be in; where nil, what the device works in.
    ///   - whenLost: called once if the server or the device goes away, on a thread of its own.
    /// - Throws: `outputUnavailable` where there is no server or no such device.
    init(device: String?, format wanted: (rate: Int, channels: Int)?, whenLost: @escaping @Sendable () -> Void)
        throws(CastError)
    {
        self.whenLost = whenLost
        let server = try PulseServer(patience: Self.patience)
        let sink = server.sink(device)
        guard sink != nil || device == nil else { throw server.failure("There is no sound device “\(device ?? "")”.") }
        let channels =
            wanted?.channels ?? sink.map(\.channelCount).flatMap { [1, 2, 6, 8].contains($0) ? $0 : nil } ?? 2
        format = AudioOutputFormat(sampleRate: wanted?.rate ?? 48_000, channelCount: channels, latency: 0)
        (mainloop, context) = (server.mainloop, server.context)
        let seconds = Double(format.sampleRate * channels * MemoryLayout<Float>.stride)
        stream = try server.stream(
            format, to: device == nil ? nil : sink?.name, ahead: UInt32(Self.ahead * seconds),
            step: UInt32(Self.step * seconds))
        server.keep()
        pa_threaded_mainloop_lock(mainloop)
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_write_callback(stream, fillStream, pointer)
        pa_stream_set_underflow_callback(stream, streamRanOut, pointer)
        pa_stream_set_state_callback(stream, streamChanged, pointer)
        pa_threaded_mainloop_unlock(mainloop)
    }

    deinit {
        // Ends the loop's thread first, so that nothing calls back.
        pa_threaded_mainloop_stop(mainloop)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
        pa_context_disconnect(context)
        pa_context_unref(context)
        pa_threaded_mainloop_free(mainloop)
    }

    /// Begins to pull from a ring, or goes on with what of it is still at the server.
    func play(_ ring: AudioRing) {
        locked {
            // Without a stop between, it is the ring that goes on where the one before ends.
            if isStopped, let last, !last.ring.goesOn(in: ring) || last.discardCount != last.ring.discardCount {
                done(pa_stream_flush(stream, nil, nil))
                self.last = nil
            }
            self.ring = ring
            if isStopped, last != nil { tellUnplayed(of: ring) }
            isStopped = false
            last = (ring, ring.discardCount)
            fill(Int(pa_stream_writable_size(stream)))
            done(pa_stream_cork(stream, 0, nil, nil))
        }
    }

    /// Stops at once; what is at the server stays there. What is left at the end of all samples is played first.
    func stop() {
        locked {
            if let ring, !ring.isOver || ring.isFollowed { done(pa_stream_cork(stream, 1, nil, nil)) }
            ring = nil
            isStopped = true
        }
    }

    // MARK: On the loop's thread, or with its lock held

    /// Gives the server as many bytes as it asks for.
    fileprivate func fill(_ bytes: Int) {
        guard let ring, bytes != Int(bitPattern: UInt.max) else { return }
        let frame = format.channelCount * MemoryLayout<Float>.stride
        var rest = bytes / frame
        var heard = HostTime.now.advanced(by: latency)
        // Piece by piece: what is pulled at a time can no longer be changed.
        while rest > 0 {
            var size = min(rest, format.sampleRate / 40) * frame
            var memory: UnsafeMutableRawPointer?
            guard pa_stream_begin_write(stream, &memory, &size) == 0, let memory, size >= frame else { return }
            size -= size % frame
            let count = size / MemoryLayout<Float>.stride
            let samples = memory.bindMemory(to: Float.self, capacity: count)
            ring.read(into: UnsafeMutableBufferPointer(start: samples, count: count), at: heard)
            guard pa_stream_write(stream, memory, size, nil, 0, PA_SEEK_RELATIVE) == 0 else { return }
            rest -= size / frame
            heard = heard.advanced(by: Double(size / frame) / Double(format.sampleRate))
        }
    }

    /// Stops for good once the last samples were played.
    fileprivate func ranOut() {
        if ring == nil { done(pa_stream_cork(stream, 1, nil, nil)) }
    }

    fileprivate func stateChanged() {
        guard !isLost, pa_stream_get_state(stream) == PA_STREAM_FAILED else { return }
        isLost = true
        let whenLost = whenLost
        // Whoever is told will close this, which waits for the thread that this is.
        OwnThread.start("sound lost") { whenLost() }
    }

    /// Seconds until what is written next will be heard.
    private var latency: Double {
        var microseconds: pa_usec_t = 0
        var isNegative: Int32 = 0
        if pa_stream_is_corked(stream) == 0, pa_stream_get_latency(stream, &microseconds, &isNegative) == 0 {
            return isNegative == 0 ? Double(microseconds) / 1e6 : 0
        }
        return Double(unplayed) / Double(format.sampleRate) + deviceLatency
    }

    /// Seconds that the device itself takes.
    private var deviceLatency: Double {
        guard let timing = pa_stream_get_timing_info(stream) else { return 0 }
        return Double(max(timing.pointee.sink_usec, timing.pointee.configured_sink_usec)) / 1e6
    }

    /// Frames at the server, while it stands.
    private var unplayed: Int {
        guard let timing = pa_stream_get_timing_info(stream), timing.pointee.write_index_corrupt == 0,
            timing.pointee.read_index_corrupt == 0
        else { return 0 }
        let bytes = max(0, timing.pointee.write_index - timing.pointee.read_index)
        return Int(bytes) / (format.channelCount * MemoryLayout<Float>.stride)
    }

    private func tellUnplayed(of ring: AudioRing) {
        ring.resume(withUnplayed: unplayed, at: .now.advanced(by: deviceLatency))
    }

    private func locked(_ body: () -> Void) {
        pa_threaded_mainloop_lock(mainloop)
        defer { pa_threaded_mainloop_unlock(mainloop) }
        body()
    }
}

/// Lets an operation go on without waiting for it.
private func done(_ operation: OpaquePointer?) {
    if let operation { pa_operation_unref(operation) }
}

private func stream(of userdata: UnsafeMutableRawPointer?) -> PulseStream? {
    userdata.map { Unmanaged<PulseStream>.fromOpaque($0).takeUnretainedValue() }
}

private let fillStream: pa_stream_request_cb_t = { _, bytes, userdata in stream(of: userdata)?.fill(bytes) }
private let streamRanOut: pa_stream_notify_cb_t = { _, userdata in stream(of: userdata)?.ranOut() }
private let streamChanged: pa_stream_notify_cb_t = { _, userdata in stream(of: userdata)?.stateChanged() }
