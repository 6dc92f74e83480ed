import CFFmpeg
import Casting

/// Whether the packets reached as far as the container's header promised: how a file that is cut short is told from one
/// that has ended.
struct Completeness {
    /// Seconds that may be missing without a word. Headers round, and the last pictures may be left out by an edit.
    static let tolerance = 1.0

    private var promised: [Int: Double] = [:]
    private var reached: [Int: Double] = [:]

    init(_ context: FormatContext, streams list: StreamList, duration: Double?) {
        // Others guess their duration, from the file's size for example.
        guard context.size != nil, ["mov", "matroska"].contains(context.name) else { return }
        for stream in list.streams where stream.kind != .legible && !stream.isAttachedPicture {
            guard let source = context.stream(stream.index), source.pointee.start_time != CFF_NO_TIME else { continue }
            if context.name == "mov", source.pointee.duration > 0 {
                promised[stream.index] = stream.itemTime(source.pointee.start_time + source.pointee.duration)
            } else if context.name == "matroska", list.selected == [stream.index] || stream.kind == .visual {
                promised[stream.index] = duration
            }
        }
    }

    init(promised: [Int: Double]) {
        self.promised = promised
    }

    /// Takes a packet into account.
    mutating func note(_ packet: Packet) {
        guard let time = packet.presentationTime ?? packet.decodeTime else { return }
        note(packet.streamIndex, end: time + (packet.duration ?? 0))
    }

    /// Takes into account that a stream was seen up to `end`.
    mutating func note(_ stream: Int, end: Double) {
        reached[stream] = max(reached[stream] ?? end, end)
    }

    /// Forgets what was seen, after a seek.
    mutating func restart() {
        reached = [:]
    }

    /// Whether much was promised that did not come, in every stream that was being read.
    var isShort: Bool {
        let known = reached.compactMap { stream, end in promised[stream].map { end < $0 - max(Self.tolerance, $0 / 50) }
        }
        return !known.isEmpty && known.allSatisfy { $0 }
    }
}
