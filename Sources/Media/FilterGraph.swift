import CFFmpeg
import Casting

/// A chain of libavfilter's filters for pictures of one size and format. Used by one thread at a time.
final class FilterGraph {
    /// What a graph is made for.
    struct Key: Equatable {
        var width: Int32
        var height: Int32
        var format: Int32

        init(_ frame: AVFrame) {
            width = frame.width
            height = frame.height
            format = frame.format
        }
    }

    let key: Key
    /// The clock of the pictures that come out.
    let timeBase: AVRational
    private let graph: CObject<UnsafeMutablePointer<AVFilterGraph>>
    private let source: UnsafeMutablePointer<AVFilterContext>
    private let sink: UnsafeMutablePointer<AVFilterContext>

    /// A chain as ffmpeg's `-vf` takes it, for pictures like `frame`.
    ///
    /// - Parameter timeBase: the clock of the pictures that go in.
    init(_ chain: String, for frame: AVFrame, timeBase: AVRational, threads: Int = 2) throws(CastError) {
        key = Key(frame)
        graph = try allocated(
            CObject(avfilter_graph_alloc()) { graph in
                var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
                avfilter_graph_free(&graph)
            })
        graph.pointer.pointee.nb_threads = Int32(threads)
        let shape = frame.sample_aspect_ratio
        let arguments =
            "video_size=\(frame.width)x\(frame.height):pix_fmt=\(frame.format)"
            + ":time_base=\(timeBase.num)/\(timeBase.den):pixel_aspect=\(shape.num)/\(max(1, shape.den))"
        source = try Self.add("buffer", arguments, to: graph)
        sink = try Self.add("buffersink", nil, to: graph)
        var inputs = avfilter_inout_alloc()
        var outputs = avfilter_inout_alloc()
        defer {
            avfilter_inout_free(&inputs)
            avfilter_inout_free(&outputs)
        }
        // Seen from the chain: it takes from the source's output and gives to the sink's input.
        let (from, to) = (try allocated(outputs), try allocated(inputs))
        from.pointee = AVFilterInOut(name: av_strdup("in"), filter_ctx: source, pad_idx: 0, next: nil)
        to.pointee = AVFilterInOut(name: av_strdup("out"), filter_ctx: sink, pad_idx: 0, next: nil)
        try check(
            avfilter_graph_parse_ptr(graph.pointer, chain, &inputs, &outputs, nil), doing: "preparing the picture")
        try check(avfilter_graph_config(graph.pointer, nil), doing: "preparing the picture")
        self.timeBase = av_buffersink_get_time_base(sink)
    }

    /// Puts a picture in; nil after the last, to have the rest out.
    func send(_ frame: CObject<UnsafeMutablePointer<AVFrame>>?) throws(CastError) {
        let code = av_buffersrc_add_frame_flags(
            source, frame?.pointer, Int32(AV_BUFFERSRC_FLAG_KEEP_REF))
        try check(code, doing: "preparing the picture")
    }

    /// The next picture; nil when the chain needs another, or after the last.
    func receive() throws(CastError) -> CObject<UnsafeMutablePointer<AVFrame>>? {
        let frame = try allocated(makeFrame())
        let code = av_buffersink_get_frame(sink, frame.pointer)
        if code == CFF_ERROR_AGAIN || code == CFF_ERROR_EOF { return nil }
        try check(code, doing: "preparing the picture")
        return frame
    }

    private static func add(
        _ name: String, _ arguments: String?, to graph: CObject<UnsafeMutablePointer<AVFilterGraph>>
    ) throws(CastError) -> UnsafeMutablePointer<AVFilterContext> {
        var filter: UnsafeMutablePointer<AVFilterContext>?
        let label = name == "buffer" ? "in" : "out"
        let code = avfilter_graph_create_filter(
            &filter, avfilter_get_by_name(name), label, arguments, nil, graph.pointer)
        try check(code, doing: "preparing the picture")
        return try allocated(filter)
    }
}
