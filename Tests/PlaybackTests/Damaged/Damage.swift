import Foundation

@testable import Playback

/// What becomes of files on their way.
enum Damage: String, CaseIterable, Sendable {
    /// The end is missing.
    case truncated
    /// Single bits are turned, a few in each thousand bytes.
    case flipped
    /// Pieces stand in other places, or twice.
    case spliced
    /// A stretch is zero.
    case blanked
    /// The first bytes are right and all that follows is noise.
    case drowned

    /// The damaged file. The same each time for the same seed.
    func done(to file: Data, seed: UInt64) -> Data {
        var noise = Noise(seed: seed)
        var bytes = [UInt8](file)
        guard bytes.count > 256 else { return file }
        switch self {
        case .truncated: bytes.removeLast(noise.below(bytes.count - 16))
        case .flipped:
            for _ in 0..<(bytes.count / (200 + noise.below(2_000)) + 1) {
                bytes[noise.below(bytes.count)] ^= 1 << noise.below(8)
            }
        case .spliced:
            for _ in 0..<(1 + noise.below(6)) {
                let length = 1 + noise.below(bytes.count / 4)
                let piece = Array(bytes[noise.below(bytes.count - length)...].prefix(length))
                let place = noise.below(bytes.count)
                bytes.replaceSubrange(place..<min(bytes.count, place + noise.below(2) * length), with: piece)
            }
        case .blanked:
            let start = noise.below(bytes.count)
            for index in start..<min(bytes.count, start + noise.below(bytes.count / 3)) { bytes[index] = 0 }
        case .drowned:
            for index in (64 + noise.below(2_048))..<max(2_112, bytes.count) where index < bytes.count {
                bytes[index] = UInt8(noise.below(256))
            }
        }
        return Data(bytes)
    }
}

/// A kind of file that gets damaged: a name, and ffmpeg's options for a second and a half of it.
struct DamagedKind: Sendable {
    var name: String
    var options: String

    static let all = [
        DamagedKind(name: "movie.mp4", options: "V A X C"),
        DamagedKind(name: "pieces.mp4", options: "V A X C -movflags +frag_keyframe+empty_moov"),
        DamagedKind(name: "movie.mkv", options: "V A X -c:a ac3"),
        DamagedKind(name: "movie.webm", options: "V A -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus"),
        DamagedKind(name: "movie.ts", options: "V A X C -f mpegts"),
        DamagedKind(name: "movie.mpg", options: "V A -c:v mpeg2video -c:a mp2"),
        DamagedKind(name: "movie.avi", options: "V A -c:v mpeg4 -c:a libmp3lame"),
        DamagedKind(name: "movie.flv", options: "V A X -ar 44100 -c:a aac"),
        DamagedKind(name: "song.ogg", options: "A -c:a libvorbis"),
        DamagedKind(name: "song.mp3", options: "A -c:a libmp3lame"),
        DamagedKind(name: "song.flac", options: "A -c:a flac"),
        DamagedKind(name: "song.wav", options: "A -c:a pcm_s16le"),
        DamagedKind(
            name: "cues.mkv",
            options: "V A -i cues.srt -map 0 -map 1 -map 2 X -c:a aac -c:s ass -disposition:s:0 default"),
    ]
}
