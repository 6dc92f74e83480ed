import CFFmpeg
import Casting

/// Whether the packets reached as far as the container's header promised: how a file that is cut short is told from one
/// that has ended.
struct Completeness {
    /// Seconds that may be missing without a word. Headers round, and the last pictures may be left out by an edit.
    static let tolerance = 1.0

    private var promised: [Int: Double] = [:]
    private var reached: [Int: Double] = [:]
    private var isCut = false

    init(_ context: FormatContext, streams list: StreamList, duration: Double?) {
        // Other containers do not promise anything: they guess their duration, from the file's size for example.
        guard let size = context.size else { return }
        if let end = MatroskaSegment.end(beginning: context.beginning) { isCut = end > size }
        guard context.name == "mov", let duration else { return }
        for stream in list.streams where stream.kind != .legible && !stream.isAttachedPicture {
            guard let source = context.stream(stream.index), source.pointee.start_time != CFF_NO_TIME,
                source.pointee.duration > 0,
                let end = stream.itemTime(source.pointee.start_time + source.pointee.duration), end <= duration + 1
            else { continue }
            promised[stream.index] = end
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
        if isCut { return true }
        let known = reached.compactMap { stream, end in promised[stream].map { end < $0 - max(Self.tolerance, $0 / 50) }
        }
        return !known.isEmpty && known.allSatisfy { $0 }
    }
}

/// Where a Matroska file says it ends (RFC 8794): its second element is the segment, which holds everything.
enum MatroskaSegment {
    /// Position just after the segment; nil where these are not the first bytes of such a file, or it does not say.
    static func end(beginning bytes: [UInt8]) -> Int64? {
        var rest = bytes[...]
        guard number(&rest, keepsMarker: true) == 0x1A45_DFA3, let header = number(&rest), header < rest.count else {
            return nil
        }
        rest = rest.dropFirst(Int(header))
        guard number(&rest, keepsMarker: true) == 0x1853_8067, let size = number(&rest) else { return nil }
        return Int64(rest.startIndex) + size
    }

    /// A number of variable length; nil for one that means "not known".
    private static func number(_ bytes: inout ArraySlice<UInt8>, keepsMarker: Bool = false) -> Int64? {
        guard let first = bytes.first, first != 0 else { return nil }
        let length = first.leadingZeroBitCount + 1
        guard bytes.count >= length else { return nil }
        var value = Int64(keepsMarker ? first : first & (0xFF >> UInt8(length)))
        for byte in bytes.dropFirst().prefix(length - 1) { value = value << 8 | Int64(byte) }
        bytes = bytes.dropFirst(length)
        return keepsMarker || value != (1 << Int64(7 * length)) - 1 ? value : nil
    }
}
