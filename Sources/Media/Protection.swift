import CFFmpeg
import Casting

extension CastError {
    /// A playlist beyond all measure.
    static let longPlaylist = CastError(
        .fileFailedToParse, "The playlist is far too long.", hint: "Try another address of the same media.")

    /// The media is encrypted for one provider's own players.
    static let protected = CastError(
        .contentIsProtected, "The media is copy protected.", hint: "It can only be played by its provider's own app.")
}

/// Whether a stream's container says that it is encrypted: by a header of a protection system, by the names that MP4 gives
/// to encrypted samples (ISO/IEC 14496-12 §8.12, and Apple's older ones), or by Matroska's key.
func isProtected(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    if av_stream_get_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, nil) != nil { return true }
    if tag("enc_key_id", in: stream.pointee.metadata) != nil { return true }
    guard let tag = stream.pointee.codecpar?.pointee.codec_tag else { return false }
    return ["encv", "enca", "drmi", "drms"].contains { name in
        name.utf8.reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) } == tag
    }
}

/// Whether a packet is encrypted, and nobody gave a key.
func isEncrypted(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil
}

/// The bytes of something that a playlist led to. Another playlist is read whole and looked at first.
///
/// - Parameter reduce: gets a playlist's bytes, and answers what is to be read of it.
/// - Throws: `contentIsProtected` for a playlist of protected media, and whatever reading throws.
func unprotected(
    _ source: ByteSource, reduce: ([UInt8]) -> [UInt8]
) throws(CastError) -> any ByteReader {
    let mark = Array("#EXTM3U".utf8)
    guard try source.beginning(upTo: mark.count) == mark else { return source }
    guard let playlist = try source.readAll(limit: 8 << 20) else { throw .longPlaylist }
    guard !PlaylistProtection.isProtected(hls: String(decoding: playlist, as: UTF8.self)) else { throw .protected }
    return MemoryBytes(reduce(playlist))
}

/// What a playlist says of the encryption of its media.
enum PlaylistProtection {
    /// Whether an HLS playlist (RFC 8216 §4.3.2.4, §4.3.4.5) has keys, and only such as belong to a protection system.
    ///
    /// A key of the format `identity` at a web address is one that anybody may fetch who may fetch the media.
    static func isProtected(hls text: String) -> Bool {
        var isProtected = false
        for line in text.split(whereSeparator: \.isNewline) {
            guard let list = ["#EXT-X-KEY:", "#EXT-X-SESSION-KEY:"].lazy.compactMap({ line.dropping($0) }).first else {
                continue
            }
            let key = MasterPlaylist.attributes(list)
            let method = key["METHOD"] ?? "NONE"
            guard method != "NONE" else { continue }
            let address = (key["URI"] ?? "").lowercased()
            let isOpen =
                (key["KEYFORMAT"] ?? "identity") == "identity" && method != "SAMPLE-AES-CTR"
                && (!address.contains(":") || address.hasPrefix("http"))
            if isOpen { return false }
            isProtected = true
        }
        return isProtected
    }

    /// Whether a DASH manifest (ISO/IEC 23009-1 §5.8.4.1) has its media protected.
    static func isProtected(dash text: String) -> Bool { text.contains("<ContentProtection") }
}

extension Substring {
    fileprivate func dropping(_ prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
