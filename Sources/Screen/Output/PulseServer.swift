internal import CPulse
internal import Casting
internal import Playback

#if canImport(Glibc)
    internal import Glibc
#endif

/// A connection to a PulseAudio server, while a stream is being opened on it.
final class PulseServer {
    /// A device of the server.
    struct Sink {
        /// How the server names it.
        var name: String
        /// How people do.
        var description: String
        var channelCount: Int
    }

    let mainloop: OpaquePointer
    let context: OpaquePointer
    private let deadline: HostTime
    private var isKept = false

    /// Connects.
    ///
    /// - Parameter patience: seconds that connecting and all that follows may take.
    /// - Throws: `outputUnavailable` where there is no server.
    init(patience: Double) throws(CastError) {
        deadline = .now.advanced(by: patience)
        guard let mainloop = pa_threaded_mainloop_new() else { throw Self.noServer(0) }
        guard let context = pa_context_new(pa_threaded_mainloop_get_api(mainloop), "castway") else {
            pa_threaded_mainloop_free(mainloop)
            throw Self.noServer(0)
        }
        (self.mainloop, self.context) = (mainloop, context)
        pa_threaded_mainloop_set_name(mainloop, "sound")
        pa_context_set_state_callback(context, contextChanged, UnsafeMutableRawPointer(mainloop))
        // Where none runs, SDL sees to it: it may start one, or take another way to the loudspeaker.
        guard pa_context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) == 0,
            pa_threaded_mainloop_start(mainloop) == 0
        else { throw Self.noServer(pa_context_errno(context)) }
        let isConnected = locked {
            waitUntil { pa_context_get_state(context) == PA_CONTEXT_READY || !isGood(pa_context_get_state(context)) }
                && pa_context_get_state(context) == PA_CONTEXT_READY
        }
        guard isConnected else { throw Self.noServer(pa_context_errno(context)) }
    }

    deinit {
        guard !isKept else { return }
        pa_threaded_mainloop_stop(mainloop)
        pa_context_disconnect(context)
        pa_context_unref(context)
        pa_threaded_mainloop_free(mainloop)
    }

    /// Leaves the connection to its stream.
    func keep() {
        isKept = true
        locked { pa_context_set_state_callback(context, nil, nil) }
    }

    /// The names of all devices, for people.
    func devices() -> [String] { sinks().map(\.description) }

    /// The device of that name or description, the default one where nil; nil where there is none.
    func sink(_ device: String?) -> Sink? {
        if let device { return sinks().first { $0.description == device || $0.name == device } }
        return list { pa_context_get_sink_info_by_name(context, nil, addSink, $0) }.first
    }

    private func sinks() -> [Sink] { list { pa_context_get_sink_info_list(context, addSink, $0) } }

    /// Opens a stream, which stands.
    ///
    /// - Parameters:
    ///   - sink: the device by the server's name; nil for the default one.
    ///   - ahead: bytes that the server is to hold.
    ///   - step: bytes by which it asks for more.
    func stream(_ format: AudioOutputFormat, to sink: String?, ahead: UInt32, step: UInt32) throws(CastError)
        -> OpaquePointer
    {
        var sample = pa_sample_spec(
            format: CASTWAY_PA_FLOAT32, rate: UInt32(format.sampleRate), channels: UInt8(format.channelCount))
        var map = pa_channel_map()
        // In the order that Windows made common, which SDL has too.
        pa_channel_map_init_auto(&map, UInt32(format.channelCount), PA_CHANNEL_MAP_WAVEEX)
        var sizes = pa_buffer_attr(
            maxlength: .max, tlength: ahead, prebuf: step, minreq: step, fragsize: .max)
        let flags = [
            PA_STREAM_START_CORKED, PA_STREAM_INTERPOLATE_TIMING, PA_STREAM_AUTO_TIMING_UPDATE,
            PA_STREAM_ADJUST_LATENCY,
        ].reduce(0) { $0 | $1.rawValue }
        pa_threaded_mainloop_lock(mainloop)
        defer { pa_threaded_mainloop_unlock(mainloop) }
        guard let stream = pa_stream_new(context, "film", &sample, &map) else {
            throw failure("The sound device cannot be opened.")
        }
        pa_stream_set_state_callback(stream, contextChanged, UnsafeMutableRawPointer(mainloop))
        let isOpen =
            pa_stream_connect_playback(stream, sink, &sizes, pa_stream_flags(flags), nil, nil) == 0
            && waitUntil { pa_stream_get_state(stream) != PA_STREAM_CREATING }
            && pa_stream_get_state(stream) == PA_STREAM_READY
        // What the device takes by itself must be known from the first sample on.
        if isOpen { finish(pa_stream_update_timing_info(stream, nil, nil)) }
        pa_stream_set_state_callback(stream, nil, nil)
        guard isOpen else {
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
            throw failure("The sound device cannot be opened.")
        }
        return stream
    }

    /// What went wrong, by a sentence for people.
    func failure(_ sentence: String) -> CastError { Self.failure(sentence, pa_context_errno(context)) }

    // MARK: Waiting

    private func isGood(_ state: pa_context_state_t) -> Bool {
        state != PA_CONTEXT_FAILED && state != PA_CONTEXT_TERMINATED
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pa_threaded_mainloop_lock(mainloop)
        defer { pa_threaded_mainloop_unlock(mainloop) }
        return body()
    }

    /// Has the server list things.
    private func list(_ ask: (UnsafeMutableRawPointer) -> OpaquePointer?) -> [Sink] {
        let list = SinkList(mainloop)
        return locked {
            let operation = ask(Unmanaged.passUnretained(list).toOpaque())
            _ = waitUntil { list.isWhole }
            if let operation {
                // Nothing comes to the list any more once this returns.
                pa_operation_cancel(operation)
                pa_operation_unref(operation)
            }
            return list.sinks
        }
    }

    /// Waits for an operation.
    private func finish(_ operation: OpaquePointer?) {
        guard let operation else { return }
        pa_operation_set_state_callback(operation, contextChanged, UnsafeMutableRawPointer(mainloop))
        _ = waitUntil { pa_operation_get_state(operation) != PA_OPERATION_RUNNING }
        pa_operation_set_state_callback(operation, nil, nil)
        pa_operation_unref(operation)
    }

    /// Waits, with the lock held, until something is so.
    /// - Returns: whether it is, rather than that time is up.
    private func waitUntil(_ isSo: () -> Bool) -> Bool {
        // A little late, so that the deadline has passed for sure when it wakes.
        let microseconds = max(0, deadline.seconds(since: .now) + 0.01) * 1e6
        let alarm = pa_context_rttime_new(
            context, pa_rtclock_now() + pa_usec_t(microseconds), alarmRang, UnsafeMutableRawPointer(mainloop))
        defer {
            if let alarm { pa_threaded_mainloop_get_api(mainloop).pointee.time_free(alarm) }
        }
        while !isSo() {
            guard HostTime.now < deadline, alarm != nil else { return false }
            pa_threaded_mainloop_wait(mainloop)
        }
        return true
    }

    private static func noServer(_ code: Int32) -> CastError { failure("There is no sound server.", code) }

    private static func failure(_ sentence: String, _ code: Int32) -> CastError {
        CastError(
            .outputUnavailable, sentence, hint: "Run “castreceiver check” to see the sound devices there are.",
            details: ["pulse": pa_strerror(code).map { String(cString: $0) } ?? "\(code)"])
    }
}

/// Devices as the server lists them.
private final class SinkList {
    let mainloop: OpaquePointer
    var sinks: [PulseServer.Sink] = []
    var isWhole = false

    init(_ mainloop: OpaquePointer) { self.mainloop = mainloop }
}

/// For contexts, streams and operations alike: their waiter looks what it is.
private func contextChanged(_ object: OpaquePointer?, _ mainloop: UnsafeMutableRawPointer?) {
    if let mainloop { pa_threaded_mainloop_signal(OpaquePointer(mainloop), 0) }
}

private let alarmRang: pa_time_event_cb_t = { _, _, _, mainloop in
    if let mainloop { pa_threaded_mainloop_signal(OpaquePointer(mainloop), 0) }
}

private let addSink: pa_sink_info_cb_t = { _, info, end, userdata in
    guard let userdata else { return }
    let list = Unmanaged<SinkList>.fromOpaque(userdata).takeUnretainedValue()
    if end == 0, let info = info?.pointee, let name = info.name {
        list.sinks.append(
            PulseServer.Sink(
                name: String(cString: name), description: String(cString: info.description ?? name),
                channelCount: Int(info.sample_spec.channels)))
    } else {
        list.isWhole = true
    }
    pa_threaded_mainloop_signal(list.mainloop, 0)
}
