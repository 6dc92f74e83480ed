import CFFmpeg
import Casting

/// An opened AVFormatContext with the bytes it reads; closes both.
final class FormatContext {
    private(set) var pointer: UnsafeMutablePointer<AVFormatContext>
    private(set) var input: InputContext
    let network: Network
    /// Whether it is open: false where opening it again has failed.
    private(set) var isOpen = true
    /// Whether the server sends from any byte on.
    let hasRandomAccess: Bool
    /// Bytes in all; nil where not known.
    let size: Int64?

    /// The file's first bytes.
    let beginning: [UInt8]
    private let demuxerName: String
    private let address: String
    /// The item itself where it is a playlist.
    private let playlist: [UInt8]?

    /// Opens the media at the network's location and finds out about its streams.
    init(_ network: Network) throws(CastError) {
        MediaLog.takeOver()
        self.network = network
        let source = try ByteSource(network.location.url, isItem: true, network: network)
        let choice = try Self.chooseDemuxer(for: source, network: network)
        beginning = choice.beginning
        hasRandomAccess = choice.reader.isSeekable
        size = choice.reader is MemoryBytes ? nil : choice.reader.size
        input = choice.input
        demuxerName = choice.name
        address = source.url
        playlist = choice.playlist
        pointer = try Self.open(choice.name, address: source.url, input: choice.input, network: network)
    }

    private static func open(
        _ name: String, address: String, input: InputContext, network: Network
    ) throws(CastError) -> UnsafeMutablePointer<AVFormatContext> {
        guard let demuxer = av_find_input_format(name), let context = avformat_alloc_context() else {
            throw CastError(averror: CFF_ERROR_DEMUXER_NOT_FOUND, doing: "opening the media")
        }
        let opaque = Unmanaged.passUnretained(network).toOpaque()
        context.pointee.pb = input.pointer
        context.pointee.opaque = opaque
        context.pointee.io_open = openNested
        context.pointee.io_close2 = closeNested
        context.pointee.interrupt_callback = AVIOInterruptCB(callback: isInterrupted, opaque: opaque)
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        context.pointee.probesize = 5_000_000
        context.pointee.max_analyze_duration = 3_000_000
        context.pointee.max_streams = 200

        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        for (name, value) in Self.options { av_dict_set(&options, name, value, 0) }
        av_dict_set(&options, "format_whitelist", FormatChoice.allowed.sorted().joined(separator: ","), 0)
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        // The context is freed by the call where it fails.
        network.limitNested(to: Self.nestedLimit)
        defer { network.limitNested(to: nil) }
        let code = avformat_open_input(&opened, address, demuxer, &options)
        guard code >= 0, let opened else { throw network.error(code, doing: "opening the media") }
        return opened
    }

    /// Opens the playlists again, from the segments on that are shown at a time. The streams stay the same.
    ///
    /// - Throws: the errors of opening; nothing can be read then before this has succeeded.
    func reopen(at time: Double) throws(CastError) {
        guard let playlist, let empty = avformat_alloc_context() else { return }
        let count = pointer.pointee.nb_streams
        // One connection at a time: what was open is closed first.
        var old: UnsafeMutablePointer<AVFormatContext>? = pointer
        pointer = empty
        isOpen = false
        avformat_close_input(&old)
        network.beginPlaylists(at: time)
        let input = try InputContext(MemoryBytes(network.takePlaylist(playlist, at: nil)), network: network)
        let opened = try Self.open(demuxerName, address: address, input: input, network: network)
        avformat_free_context(empty)
        self.input = input
        pointer = opened
        if pointer.pointee.nb_streams < count { try findStreams() }
        guard pointer.pointee.nb_streams >= count else {
            throw CastError(averror: CFF_ERROR_INVALID_DATA, doing: "reading the media")
        }
        isOpen = true
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = pointer
        avformat_close_input(&context)
    }

    /// Reads as much as is needed to know the streams' particulars.
    func findStreams() throws(CastError) {
        // Pictures may be decoded on the way, and must not fill the memory.
        var options = [OpaquePointer?](repeating: nil, count: Int(pointer.pointee.nb_streams) + 1)
        for index in options.indices { av_dict_set(&options[index], "max_pixels", "\(VideoFrame.mostPixels)", 0) }
        defer { for index in options.indices { av_dict_free(&options[index]) } }
        let code = options.withUnsafeMutableBufferPointer { avformat_find_stream_info(pointer, $0.baseAddress) }
        try network.cancellation.check()
        guard code >= 0 else { throw network.error(code, doing: "opening the media") }
        guard pointer.pointee.nb_streams > 0 else {
            throw network.failure ?? CastError(averror: CFF_ERROR_INVALID_DATA, doing: "opening the media")
        }
    }

    /// Bytes of the file from a position on, or fewer where it ends. Where reading goes on from is then not known.
    func bytes(at position: Int64, count: Int) -> [UInt8] {
        guard avio_seek(input.pointer, position, SEEK_SET) >= 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, Int(avio_read(input.pointer, buffer.baseAddress, Int32(count))))
        }
    }

    /// The demuxer's first name.
    var name: String { pointer.pointee.iformat.map { firstName($0) } ?? "" }

    /// A stream by its number.
    func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        guard index >= 0, index < Int(pointer.pointee.nb_streams) else { return nil }
        return pointer.pointee.streams[index]
    }

    /// How many playlists, segments and keys may be opened before it is known what is in the media.
    private static let nestedLimit = 500

    /// Options of libavformat. The last two would have it reuse connections by itself, which only its own HTTP can.
    private static let options = [
        "protocol_whitelist": "http,https,tls,tcp,crypto,data", "extension_picky": "0", "allowed_extensions": "ALL",
        "http_persistent": "0", "http_multiple": "0",
    ]

    private struct Choice {
        var name: String
        var reader: any ByteReader
        var input: InputContext
        var beginning: [UInt8]
        var playlist: [UInt8]?
    }

    private static func chooseDemuxer(
        for source: ByteSource, network: Network
    ) throws(CastError) -> Choice {
        let beginning = try source.readSome(upTo: 4096)
        source.seek(to: 0)
        if let name = FormatChoice.playlist(beginning: beginning) {
            guard var playlist = try source.readAll(limit: 8 << 20) else {
                throw .longPlaylist
            }
            if name == "dash" {
                let stream = try DashStream(playlist, address: source.url, network: network)
                network.dash = stream
                playlist = stream.master
            } else {
                let text = String(decoding: playlist, as: UTF8.self)
                guard !PlaylistProtection.isProtected(hls: text) else { throw .protected }
                if let master = MasterPlaylist(text) { playlist = Array(master.reduced.utf8) }
            }
            let reader = MemoryBytes(network.takePlaylist(playlist, at: nil))
            let input = try InputContext(reader, network: network)
            return Choice(name: "hls", reader: reader, input: input, beginning: beginning, playlist: playlist)
        }
        let reader: any ByteReader
        if !source.isSeekable && MovieBoxes.indexFollowsMedia(beginning: beginning) {
            network.cancellation.postpone(by: SpoolPatience.time)
            network.supply.isBeingSpooled = true
            var patience = SpoolPatience(start: .now)
            reader = try SpooledBytes(source, limit: network.spoolLimit) { [network] bytes in
                guard !network.hasBegun, let left = patience.left(after: bytes, now: .now) else { return }
                network.cancellation.postpone(by: left)
            }
        } else {
            reader = source
        }
        let input = try InputContext(reader, network: network)
        var format: UnsafePointer<AVInputFormat>?
        let path = String(source.url.prefix { $0 != "?" && $0 != "#" })
        let score = av_probe_input_buffer2(input.pointer, &format, path, nil, 0, 1 << 20)
        try network.cancellation.check()
        if score < 0, let failure = network.failure { throw failure }
        let name = FormatChoice.demuxer(
            probed: format.map { firstName($0) }, score: Int(score),
            contentTypes: [network.location.contentType, source.contentType].compactMap { $0 }, path: path)
        guard let name else { throw CastError(averror: CFF_ERROR_DEMUXER_NOT_FOUND, doing: "opening the media") }
        return Choice(name: name, reader: reader, input: input, beginning: beginning)
    }
}

private func firstName(_ format: UnsafePointer<AVInputFormat>) -> String {
    String(String(cString: format.pointee.name).prefix { $0 != "," })
}

extension Network {
    /// The true reason for a code of libavformat: why it was ended, or why its last read failed, or what it says itself.
    func error(_ code: Int32, doing: String) -> CastError {
        cancellation.reason ?? failure ?? CastError(averror: code, doing: doing)
    }
}
