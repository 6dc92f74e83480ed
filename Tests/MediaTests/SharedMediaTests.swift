import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

/// Files made by others, each odd in its own way.
@Suite(.enabled(if: sharedMedia != nil, "the folder of media made by others is not here")) struct SharedMediaTests {
    static let files: [String] = {
        guard let root = sharedMedia, let all = FileManager.default.enumerator(atPath: root) else { return [] }
        return all.compactMap { $0 as? String }.filter { path in
            guard let dot = path.lastIndex(of: ".") else { return false }
            let type = String(path[path.index(after: dot)...])
            return ["avi", "flac", "flv", "mka", "mkv", "mp3", "mp4", "ogg", "opus", "ts", "ps", "webm", "wav"]
                .contains(type)
                && !path.hasPrefix("hls") && !path.hasPrefix("cmaf")
        }.sorted()
    }()

    /// Files that cannot play, and why.
    static let failing: [String: CastError.Code] = [
        "mkv/full_blocks.mkv": .fileFailedToParse, "mp4/sample_malformed_free_box.mp4": .fileFailedToParse,
        "vp9/invalid-bitstream.webm": .decodeFailed,
    ]

    /// Pictures in some of them.
    static let pictures = [
        "avi/sample.avi": 96, "flv/sample.flv": 30, "mp4/edit_list_positive_shift.mp4": 270, "mp4/hdr10-av1.mp4": 127,
        "mp4/sample_empty_track.mp4": 30, "mp4/sample_fragmented.mp4": 30, "mp4/sample_mdat_too_long.mp4": 30,
        "mp4/sample_shorter_audio.mp4": 72, "mp4/sample_without_stss.mp4": 30, "ts/bbb_2500ms.ts": 58,
        "vp9/bear-vp9-odd-dimensions.webm": 30, "vp9/roadtrip-vp92-10bit.webm": 72, "flac/bear_with_picture.flac": 0,
        "mp3/bear-id3.mp3": 0,
    ]

    @Test("every file plays to its end or says why not", arguments: files)
    func ends(_ path: String) throws {
        let server = try FakeServer(path: #require(sharedMedia) + "/" + path)
        guard Self.failing[path] == nil else {
            let error = #expect(throws: CastError.self) { try Decoded(server.demuxer("http://server/" + path)) }
            #expect(error?.code == Self.failing[path])
            return
        }
        let demuxer = try server.demuxer("http://server/" + path)
        let decoded = try Decoded(demuxer)
        if let count = Self.pictures[path] { #expect(decoded.numbers.count == count) }
        let end = max(decoded.pictureTimes.max() ?? 0, decoded.soundEnd ?? 0)
        #expect(end > 0.04)
        // Positions begin at 0, and a claimed duration is sane.
        #expect(min(decoded.pictureTimes.first ?? 0, decoded.soundStart ?? 0) < 0.1)
        if let duration = demuxer.duration { #expect(end < duration + 0.25) }
    }
}
