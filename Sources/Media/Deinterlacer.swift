import CFFmpeg
import Casting

/// Makes whole pictures of interlaced ones, two of each, so that movement stays as smooth as it was filmed.
///
/// Goes by the flags of each frame, its field order included; frames that are not interlaced pass as they are. Used by one
/// thread at a time.
final class Deinterlacer {
    /// A picture that comes out.
    struct Output {
        var object: CObject<UnsafeMutablePointer<AVFrame>>
        /// Item time in seconds.
        var time: Double
        /// Seconds that it lasts; nil where not known.
        var duration: Double?
    }

    private static let timeBase = AVRational(num: 1, den: 1_000_000)

    private var graph: FilterGraph?
    private var ready: [Output] = []

    /// Puts a frame in.
    ///
    /// - Parameters:
    ///   - time: item time in seconds.
    ///   - duration: seconds that it lasts; nil where not known.
    func send(
        _ frame: CObject<UnsafeMutablePointer<AVFrame>>, time: Double, duration: Double?
    ) throws(CastError) {
        let pointer = frame.pointer
        if let graph, graph.key != FilterGraph.Key(pointer.pointee) { try finish() }
        let graph = try graph(for: pointer.pointee)
        pointer.pointee.pts = Int64(time * 1_000_000)
        // Each field is shown for half of it. The filter hands this on as it is.
        let shown = (duration ?? 0) / (pointer.pointee.interlaced_frame != 0 ? 2 : 1)
        pointer.pointee.pkt_duration = Int64(shown * 1_000_000)
        try graph.send(frame)
        try take(from: graph)
    }

    /// Has the rest out; the next frame begins anew.
    func finish() throws(CastError) {
        guard let graph else { return }
        self.graph = nil
        try graph.send(nil)
        try take(from: graph)
    }

    /// The next picture; nil when it needs another frame.
    func receive() -> Output? { ready.isEmpty ? nil : ready.removeFirst() }

    /// Forgets what it holds.
    func flush() {
        graph = nil
        ready = []
    }

    private func graph(for frame: AVFrame) throws(CastError) -> FilterGraph {
        if let graph { return graph }
        let new = try FilterGraph(
            "bwdif=mode=send_field:parity=auto:deint=interlaced", for: frame, timeBase: Self.timeBase)
        graph = new
        return new
    }

    private func take(from graph: FilterGraph) throws(CastError) {
        while let object = try graph.receive() {
            let frame = object.pointer.pointee
            let duration = frame.pkt_duration > 0 ? Double(frame.pkt_duration) / 1_000_000 : nil
            ready.append(
                Output(object: object, time: Double(frame.pts) * av_q2d(graph.timeBase), duration: duration))
        }
    }
}
