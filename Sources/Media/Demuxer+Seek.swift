import CFFmpeg
public import Casting

extension Demuxer {
    /// Goes to the key frame at or before `time`, in all streams.
    ///
    /// - Parameter time: seconds of item time; clamped to what there is.
    /// - Throws: `operationNotSupported` where the media cannot seek; the errors of `nextPacket`.
    public func seek(to time: Double) throws(CastError) {
        guard isSeekable else {
            throw CastError(
                .operationNotSupported, "This media can only be played from its beginning.",
                hint: "The server does not send parts of it, or it is live.")
        }
        let target = max(0, min(time, duration ?? time))
        // Where times are found by trying, a key frame may lie a little before what was found.
        var lead = beginsAtFirstByte ? 2.0 : 0
        while true {
            try jump(to: target - lead)
            if hasReliableIndex { return try fetchTextUnderWay(at: target) }
            // The landing is checked, for these containers only estimate where a time is.
            if try land(at: target) { return }
            if target - lead <= 0 { return try jump(to: 0) }
            lead = max(2, lead * 4)
        }
    }

    /// Whether the container begins with its first packet, and times of it are found by trying only.
    private var beginsAtFirstByte: Bool {
        ["mpegts", "mpeg", "h264", "hevc", "mpegvideo", "m4v", "obu"].contains(context.name)
    }

    /// Whether the container's index names key frames by their time.
    private var hasReliableIndex: Bool { ["mov", "matroska", "avi"].contains(context.name) }

    /// The stream that seeks go by: the picture, else the sound.
    var guide: MediaStream? {
        let chosen = streams.filter { selectedStreams.contains($0.index) && !$0.isAttachedPicture }
        return chosen.first { $0.kind == .visual } ?? chosen.first { $0.kind == .audible }
    }

    /// Has libavformat go to a time, or before it.
    func jump(to time: Double) throws(CastError) {
        try cancellation.check()
        forgetPosition()
        let playlists = context.network.playlists
        if playlists.hasMaps || playlists.hasDiscontinuities { return try reopen(at: max(0, time)) }
        guard let guide else { return }
        if let (stretch, next) = stretches.stretch(at: time), let size = context.size {
            // Its clock has jumped on the way there: only bytes lead to it.
            let end = next.map { ($0.start, $0.position) } ?? (duration ?? stretch.start, size)
            let position = ClockStretches.position(at: time, in: stretch, until: end)
            discontinuities = Discontinuities(shift: stretch.shift)
            guard avformat_seek_file(context.pointer, -1, position, position, position, AVSEEK_FLAG_BYTE) < 0 else {
                return
            }
        }
        if time <= 0, beginsAtFirstByte, avformat_seek_file(context.pointer, -1, 0, 0, 0, AVSEEK_FLAG_BYTE) >= 0 {
            return
        }
        let unit = av_q2d(guide.timeBase)
        let wanted = Int64(((max(0, time) + itemStart) / unit).rounded(.down))
        var code = avformat_seek_file(context.pointer, Int32(guide.index), .min, wanted, wanted, 0)
        if code < 0 {
            // The first key frame may come a little after the time 0 that was asked for.
            code = avformat_seek_file(context.pointer, Int32(guide.index), .min, wanted, .max, 0)
        }
        try cancellation.check()
        if code < 0, let failure = context.network.failure { throw failure }
        guard code >= 0 else {
            throw CastError(
                .operationNotSupported, "This place of the media cannot be reached.", hint: "Try another place.",
                details: ["ffmpeg": averrorText(code)])
        }
    }

    /// Opens the playlists again at a time.
    private func reopen(at time: Double) throws(CastError) {
        resumption = nil
        try context.reopen(at: time)
        select(selectedStreams)
        let playlists = context.network.playlists
        if playlists.jumpsBefore { resumption = playlists.begun }
    }

    /// Reads on to the last key frame at or before `target`, and keeps what is to be played from there.
    ///
    /// - Returns: false where the jump has passed it already.
    func land(at target: Double) throws(CastError) -> Bool {
        guard let guide else { return true }
        var read: [Packet] = []
        var start: Int?
        while let packet = try readPacket() {
            read.append(packet)
            guard packet.streamIndex == guide.index else { continue }
            let time = packet.presentationTime ?? packet.decodeTime ?? 0
            if packet.isKey && time <= target { start = read.count - 1 }
            if (packet.decodeTime ?? time) > target || guide.kind == .audible { break }
        }
        guard let start else { return false }
        let time = read[start].presentationTime ?? read[start].decodeTime ?? 0
        // Sound lies a little before the picture it belongs to, or after it.
        pending = read.enumerated().filter { place, packet in
            place >= start
                || packet.streamIndex != guide.index && (packet.presentationTime ?? time) >= time - 0.5
                || textUnderWay.contains(packet.streamIndex)
        }.map(\.element)
        return true
    }
}
