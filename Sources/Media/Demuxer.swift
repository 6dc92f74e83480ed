import CFFmpeg
public import Casting

/// Opened media: its streams, and their packets one after another.
///
/// Used by one thread at a time, which is not one of the cooperative pool, for its calls block on the network.
public final class Demuxer {
    /// The container's name as FFmpeg gives it, for example `mov,mp4,m4a,3gp,3g2,mj2`.
    public let container: String
    /// The streams that can be told apart: picture, sound and text.
    public let streams: [MediaStream]
    /// Seconds from first to last; nil where not known and for live media. Becomes another where the container's clock
    /// is found to jump, so that what it says at its end says nothing about its length.
    public var duration: Double? {
        guard clockJumps else { return claimed }
        // A playlist adds up the lengths of its segments, whatever their clock.
        let shift = isPlaylist ? 0 : discontinuities?.latest ?? 0
        return hasEnded ? furthest : claimed.map { max(furthest, $0 + shift) }
    }
    /// Whether it is a live stream without end.
    public let isLive: Bool
    /// Whether each stream comes over a connection of its own, so that one that is not wanted costs nothing.
    public let loadsStreamsSeparately: Bool
    /// Whether `seek` can work.
    public let isSeekable: Bool
    /// Whether it is a picture, or several in a row, rather than a film.
    public let isPicture: Bool
    /// The streams whose packets come.
    public private(set) var selectedStreams: Set<Int>

    /// The streams of text of which a seek is to bring the cue that is under way at its target as well.
    public var textUnderWay: Set<Int> = []

    let context: FormatContext
    let itemStart: Double
    /// Packets read ahead by a seek.
    var pending: [Packet] = []
    private let network: Network
    private let streamsByIndex: [Int: MediaStream]
    private var brokenReads = 0
    private var completeness: Completeness
    private let claimed: Double?
    private let isPlaylist: Bool
    private let hasJumpingClock: Bool
    var discontinuities: Discontinuities?
    /// The stretches of even time found so far.
    var stretches = ClockStretches()
    /// The item time of the next packet, where the clock alone does not tell it.
    var resumption: Double?
    private var clockJumps = false
    private var furthest = 0.0
    private var hasEnded = false
    /// Where the last packet read lies in the file; less than 0 where that is not known.
    private var lastPosition: Int64 = -1

    /// Opens media; blocks until its streams are known.
    ///
    /// - Parameters:
    ///   - cancellation: ends this call and the later ones.
    ///   - timeout: seconds this may take at most, whatever the server does.
    /// - Throws: `unsupportedURL`, the errors of the network and of HTTP, `fileFormatNotRecognized`,
    ///   `fileFailedToParse`, `contentIsProtected`, `timedOut`, `operationCancelled`.
    public convenience init(
        _ location: MediaLocation, cancellation: Cancellation, timeout: Double = 10
    ) throws(CastError) {
        try self.init(MediaSupply(location), cancellation: cancellation, timeout: timeout)
    }

    /// Opens the media of a supply, which may change its URL later on.
    ///
    /// - Parameters:
    ///   - supply: where the media is, and what is known of the network afterwards, also where opening fails.
    ///   - budget: bytes kept for going back.
    public convenience init(
        _ supply: MediaSupply, cancellation: Cancellation, timeout: Double = 10, budget: CacheBudget = CacheBudget()
    ) throws(CastError) {
        try self.init(Network(supply, cancellation: cancellation, budget: budget), timeout: timeout)
    }

    /// Opens what `network` leads to.
    init(_ network: Network, timeout: Double) throws(CastError) {
        self.network = network
        let whole = network.cancellation
        let opening = Cancellation(timeout: timeout)
        let hook = whole.addHook { [weak whole] in opening.end(whole?.reason ?? .cancelled) }
        network.cancellation = opening
        defer {
            whole.removeHook(hook)
            network.cancellation = whole
        }
        context = try FormatContext(network)
        context.presumeCanvas()
        try context.findStreams()
        let list = try StreamList(context)
        guard !list.selected.isEmpty else {
            throw CastError(
                .fileFailedToParse, "There is neither picture nor sound in this media.", hint: "Try another file.")
        }
        guard !list.streams.contains(where: { list.selected.contains($0.index) && $0.isProtected }) else {
            throw .protected
        }
        streams = list.streams
        itemStart = list.itemStart
        selectedStreams = list.selected
        streamsByIndex = Dictionary(uniqueKeysWithValues: streams.map { ($0.index, $0) })
        let format = context.pointer.pointee
        container = format.iformat.map { String(cString: $0.pointee.name) } ?? ""
        let duration =
            DurationClaim(
                seconds: format.duration == CFF_NO_TIME ? nil : Double(format.duration) / Double(AV_TIME_BASE),
                byteCount: context.size
            ).believable
        claimed = list.lateness > 0 ? duration.map { max(0, $0 - list.lateness) } : duration
        let isPlaylist = context.name == "hls"
        self.isPlaylist = isPlaylist
        loadsStreamsSeparately = isPlaylist
        isPicture = FormatChoice.isPicture(context.name, beginning: context.beginning)
        isLive = !isPicture && duration == nil && context.size == nil && (isPlaylist || format.duration == CFF_NO_TIME)
        // Bare streams have no times to go by.
        let canSeek =
            isPlaylist ? duration != nil : !["h264", "hevc", "mpegvideo", "m4v", "obu"].contains(context.name)
        isSeekable =
            canSeek && !isPicture && list.lateness == 0 && context.hasRandomAccess && !isLive
            && format.ctx_flags & AVFMTCTX_UNSEEKABLE == 0
        let jumps = ["mpegts", "mpeg", "hls", "flv"].contains(context.name)
        hasJumpingClock = jumps
        discontinuities = jumps ? Discontinuities() : nil
        completeness = Completeness(context, streams: list, duration: duration)
        network.hasBegun = true
        select(list.selected)
    }

    /// What ends the blocking calls. After it was cancelled, give it another one before the next call, which must then
    /// be `seek`.
    public var cancellation: Cancellation {
        get { network.cancellation }
        set { network.cancellation = newValue }
    }

    /// Bytes received and how fast. May be asked from any thread.
    public var traffic: Traffic { network.traffic }

    /// Chooses the streams whose packets come; the others are passed over, where possible without loading them.
    ///
    /// At first: the best picture and the best sound.
    public func select(_ streams: Set<Int>) {
        selectedStreams = streams
        for index in 0..<Int(context.pointer.pointee.nb_streams) {
            let isWanted = streams.contains(index) && streamsByIndex[index] != nil
            context.stream(index)?.pointee.discard = isWanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
        pending.removeAll { !streams.contains($0.streamIndex) }
    }

    /// The next packet of the selected streams; blocks until it is there.
    ///
    /// - Returns: nil at the true end of the media.
    /// - Throws: `networkConnectionLost`, `noLongerPlayable`, `timedOut`, `fileFailedToParse` (the file ends before the
    ///   media does), `operationCancelled`.
    public func nextPacket() throws(CastError) -> Packet? {
        guard pending.isEmpty else { return pending.removeFirst() }
        return try readPacket()
    }

    /// The next packet from the container.
    func readPacket() throws(CastError) -> Packet? {
        while true {
            try network.cancellation.check()
            if let lost = network.lost { throw lost }
            guard context.isOpen else { throw network.failure ?? .incompleteFile }
            let object = try allocated(Packet.makeObject())
            let code = av_read_frame(context.pointer, object.pointer)
            if code >= 0 {
                brokenReads = 0
                // A failure that libavformat has not come to yet stays.
                if context.pointer.pointee.pb.pointee.error == 0 { network.failure = nil }
                let index = Int(object.pointer.pointee.stream_index)
                lastPosition = max(lastPosition, object.pointer.pointee.pos)
                guard selectedStreams.contains(index), let stream = streamsByIndex[index] else { continue }
                guard !isEncrypted(object.pointer) else { throw .protected }
                bridge(object.pointer, of: stream)
                let packet = Packet(object, stream: stream)
                completeness.note(packet)
                return packet
            }
            try network.cancellation.check()
            if let failure = network.failure { throw failure }
            switch code {
            case CFF_ERROR_EOF:
                guard !completeness.isShort, !isCutOff else { throw .incompleteFile }
                hasEnded = true
                return nil
            case CFF_ERROR_AGAIN:
                try pause(0.01, unless: network.cancellation)
            default:
                // A demuxer finds its way again after a damaged place, most often.
                brokenReads += 1
                guard brokenReads < 10 else { throw CastError(averror: code, doing: "reading the media") }
                guard !completeness.isShort || context.pointer.pointee.pb.pointee.eof_reached == 0 else {
                    throw .incompleteFile
                }
            }
        }
    }

    /// Begins again to watch whether the file is complete, and lets a failed read be tried again.
    func forgetPosition() {
        pending = []
        brokenReads = 0
        network.failure = nil
        network.lost = nil
        context.input.clearError()
        completeness.restart()
        discontinuities = hasJumpingClock ? Discontinuities() : nil
    }

    /// Whether the file ends in the middle of something, although it does not say how long it is to be.
    private var isCutOff: Bool {
        guard context.name == "matroska", context.hasRandomAccess, let size = context.size, lastPosition > 0 else {
            return false
        }
        return MatroskaTail(size: size) { [context] in context.bytes(at: $0, count: $1) }.isCut(
            afterBlockAt: lastPosition)
    }

    /// Shifts a packet's times where the container's clock has jumped.
    private func bridge(_ packet: UnsafeMutablePointer<AVPacket>, of stream: MediaStream) {
        let time = packet.pointee.dts == CFF_NO_TIME ? packet.pointee.pts : packet.pointee.dts
        guard stream.kind != .legible, let seconds = stream.itemTime(time) else { return }
        let unit = av_q2d(stream.timeBase)
        let duration = Double(packet.pointee.duration) * unit
        if let start = resumption { resume(at: start, with: packet, of: stream) }
        let shift = discontinuities?.shift(stream: stream.index, time: seconds, duration: duration) ?? 0
        furthest = max(furthest, discontinuities?.reached ?? 0)
        guard shift != 0 else { return }
        noteJump(to: seconds + shift, by: shift, at: packet.pointee.pos)
        let ticks = Int64((shift / unit).rounded())
        if packet.pointee.dts != CFF_NO_TIME { packet.pointee.dts += ticks }
        if packet.pointee.pts != CFF_NO_TIME { packet.pointee.pts += ticks }
    }

    /// Finds out how far the clock is from item time after a seek into a part that comes after a jump.
    private func resume(
        at start: Double, with packet: UnsafeMutablePointer<AVPacket>, of stream: MediaStream
    ) {
        let time = packet.pointee.pts == CFF_NO_TIME ? packet.pointee.dts : packet.pointee.pts
        guard let seconds = stream.itemTime(time) else { return }
        resumption = nil
        let estimate = start - seconds
        // What was found by playing is exact; lengths in playlists are rounded.
        let known = stretches.known.last { abs($0.shift - estimate) < 0.5 }
        discontinuities = Discontinuities(shift: known?.shift ?? estimate)
    }

    /// Notes where the clock has jumped; `shift` is not 0.
    private func noteJump(to time: Double, by shift: Double, at position: Int64) {
        clockJumps = true
        guard position >= 0, abs(shift - (stretches.known.last?.shift ?? 0)) > 0.5 else { return }
        stretches.note(.init(start: time, position: position, shift: shift))
    }
}

extension CastError {
    /// The file is cut short.
    static let incompleteFile = CastError(
        .fileFailedToParse, "The file ends before the media does.",
        hint: "It is incomplete: wait until it is downloaded, or get it again.")
}
