import CFFmpeg
import Casting

/// Changes how fast sound plays and keeps its pitch: libavfilter's atempo.
final class TempoGraph {
    private let graph: CObject<UnsafeMutablePointer<AVFilterGraph>>
    private let source: UnsafeMutablePointer<AVFilterContext>
    private let sink: UnsafeMutablePointer<AVFilterContext>
    private let sampleRate: Int
    private let channelCount: Int
    private var layout = AVChannelLayout()
    private var position: Int64 = 0

    init(sampleRate: Int, channelCount: Int, tempo: Double) throws(CastError) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        layout = deviceLayout(channelCount)
        graph = try allocated(
            CObject(avfilter_graph_alloc()) { graph in
                var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
                avfilter_graph_free(&graph)
            })
        graph.pointer.pointee.nb_threads = 1
        let mask = String(layout.u.mask, radix: 16)
        source = try Self.add(
            "abuffer", "time_base=1/\(sampleRate):sample_rate=\(sampleRate):sample_fmt=flt:channel_layout=0x\(mask)",
            to: graph)
        let changer = try Self.add("atempo", "\(tempo)", to: graph)
        sink = try Self.add("abuffersink", nil, to: graph)
        try check(avfilter_link(source, 0, changer, 0), doing: "preparing the sound")
        try check(avfilter_link(changer, 0, sink, 0), doing: "preparing the sound")
        try check(avfilter_graph_config(graph.pointer, nil), doing: "preparing the sound")
    }

    /// Puts interleaved samples in and takes out what is ready.
    func process(_ samples: [Float]) throws(CastError) -> [Float] {
        guard !samples.isEmpty else { return [] }
        let object = try allocated(makeFrame())
        let frame = object.pointer
        frame.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
        frame.pointee.sample_rate = Int32(sampleRate)
        frame.pointee.nb_samples = Int32(samples.count / channelCount)
        av_channel_layout_copy(&frame.pointee.ch_layout, &layout)
        try check(av_frame_get_buffer(frame, 0), doing: "converting the sound")
        samples.withUnsafeBytes { bytes in
            guard let data = frame.pointee.data.0, let start = bytes.baseAddress else { return }
            UnsafeMutableRawPointer(data).copyMemory(from: start, byteCount: bytes.count)
        }
        frame.pointee.pts = position
        position += Int64(frame.pointee.nb_samples)
        try check(av_buffersrc_add_frame(source, frame), doing: "converting the sound")
        return try take()
    }

    /// What is still inside. Nothing can be put in after that.
    func drain() throws(CastError) -> [Float] {
        try check(av_buffersrc_add_frame(source, nil), doing: "converting the sound")
        return try take()
    }

    private func take() throws(CastError) -> [Float] {
        var samples: [Float] = []
        while true {
            let object = try allocated(makeFrame())
            let code = av_buffersink_get_frame(sink, object.pointer)
            if code == CFF_ERROR_AGAIN || code == CFF_ERROR_EOF { return samples }
            try check(code, doing: "converting the sound")
            guard let data = object.pointer.pointee.data.0 else { continue }
            let count = Int(object.pointer.pointee.nb_samples) * channelCount
            data.withMemoryRebound(to: Float.self, capacity: count) {
                samples.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
            }
        }
    }

    private static func add(
        _ name: String, _ arguments: String?, to graph: CObject<UnsafeMutablePointer<AVFilterGraph>>
    ) throws(CastError) -> UnsafeMutablePointer<AVFilterContext> {
        var filter: UnsafeMutablePointer<AVFilterContext>?
        let code = avfilter_graph_create_filter(
            &filter, avfilter_get_by_name(name), name, arguments, nil, graph.pointer)
        try check(code, doing: "preparing the sound")
        return try allocated(filter)
    }
}
