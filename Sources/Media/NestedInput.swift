import CFFmpeg
import Casting

// What libavformat opens by itself, the segments of HLS and of DASH (see `DashStream`), comes through `ByteSource` too. These callbacks find
// the `Network` in the format context's `opaque`.

/// AVFormatContext.io_open. Only http and https; everything else is refused.
func openNested(
    context: UnsafeMutablePointer<AVFormatContext>?, result: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
    url: UnsafePointer<CChar>?, flags: Int32, options: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let opaque = context?.pointee.opaque, let result, let url else { return CFF_ERROR_INVALID_ARGUMENT }
    let network = Unmanaged<Network>.fromOpaque(opaque).takeUnretainedValue()
    guard flags & AVIO_FLAG_WRITE == 0 else { return CFF_ERROR_PROTOCOL_NOT_FOUND }
    func option(_ name: String) -> String? {
        av_dict_get(options?.pointee, name, nil, 0).map { String(cString: $0.pointee.value) }
    }
    do throws(CastError) {
        try network.takeNested()
        let first = option("offset").flatMap { Int64($0) } ?? 0
        let length = option("end_offset").flatMap { Int64($0) }.map { $0 - first }
        let address = String(cString: url)
        let source: any ByteReader
        if let playlist = try network.dash?.playlist(at: address, network: network)
            ?? network.playlists.playlist(at: address)
        {
            source = MemoryBytes(network.takePlaylist(playlist, at: address))
        } else if let inner = EncryptedBytes.innerAddress(of: address) {
            let encrypted = try ByteSource(inner, first: first, length: length, network: network)
            source = try EncryptedBytes(encrypted, key: option("key") ?? "", vector: option("iv") ?? "")
        } else {
            // A live stream may use the names of its pieces again, and its playlist is another one each time.
            if network.isGrowing { network.cache.forget(address) }
            let plain = try ByteSource(address, first: first, length: length, network: network)
            let isWhole = first == 0 && length == nil
            source =
                isWhole
                ? try unprotected(plain) { playlist in
                    plain.forget()
                    return network.takePlaylist(playlist, at: address)
                } : plain
        }
        let input = try InputContext(source, network: network, isNested: true)
        network.noteNested(input.pointer)
        result.pointee = Unmanaged.passRetained(input).takeUnretainedValue().pointer
        return 0
    } catch {
        network.noteLoss(error)
        guard error.code != .unsupportedURL else { return CFF_ERROR_PROTOCOL_NOT_FOUND }
        return network.averror(for: error)
    }
}

/// AVFormatContext.io_close2.
func closeNested(context: UnsafeMutablePointer<AVFormatContext>?, input: UnsafeMutablePointer<AVIOContext>?) -> Int32 {
    guard let input, let opaque = context?.pointee.opaque else { return 0 }
    guard Unmanaged<Network>.fromOpaque(opaque).takeUnretainedValue().forgetNested(input) else {
        return avio_close(input)
    }
    if let own = input.pointee.opaque { Unmanaged<InputContext>.fromOpaque(own).release() }
    return 0
}

/// AVIOInterruptCB: whether to give up what blocks.
func isInterrupted(opaque: UnsafeMutableRawPointer?) -> Int32 {
    guard let opaque else { return 0 }
    return Unmanaged<Network>.fromOpaque(opaque).takeUnretainedValue().cancellation.isCancelled ? 1 : 0
}
