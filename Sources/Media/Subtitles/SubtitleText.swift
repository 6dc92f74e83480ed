import CFFmpeg

/// The small repairs that texts of the real world need.
enum SubtitleText {
    /// Makes UTF-8 of a packet that is nothing but text, without the zero bytes that some writers leave at its end.
    static func repair(_ packet: UnsafeMutablePointer<AVPacket>) {
        guard let data = packet.pointee.data, packet.pointee.size > 0 else { return }
        let old = UnsafeBufferPointer(start: data, count: Int(packet.pointee.size))
        let isValid = String(validating: old, as: UTF8.self) != nil
        guard !isValid || old.last == 0 else { return }
        var text = Array(old)
        while text.last == 0 { text.removeLast() }
        if !isValid { text = TextEncoding.utf8(text) }
        guard let fresh = av_packet_alloc() else { return }
        defer {
            var fresh: UnsafeMutablePointer<AVPacket>? = fresh
            av_packet_free(&fresh)
        }
        guard av_new_packet(fresh, Int32(text.count)) >= 0, av_packet_copy_props(fresh, packet) >= 0 else { return }
        text.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress, let target = fresh.pointee.data else { return }
            target.update(from: base, count: source.count)
        }
        av_packet_unref(packet)
        av_packet_move_ref(packet, fresh)
    }

    /// Whether anything of an event is to be seen: not only commands and blanks.
    static func saysSomething(_ event: String) -> Bool {
        let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { return false }
        var depth = 0
        var wasBackslash = false
        for character in fields[8] {
            switch character {
            case "{": depth += 1
            case "}": depth = max(0, depth - 1)
            case "\\": wasBackslash = true
            case "N", "n", "h":
                if depth == 0, !wasBackslash { return true }
                wasBackslash = false
            default:
                wasBackslash = false
                if depth == 0, !character.isWhitespace { return true }
            }
        }
        // A drawing is made of commands and coordinates.
        return false
    }
}
