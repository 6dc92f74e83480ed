import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

/// A container and its codecs that must play.
struct Kind: CustomTestStringConvertible, Sendable {
    var name: String
    var fileExtension: String
    var video: [String]?
    var audio: [String]?
    var videoCodec: String?
    var audioCodec: String?

    var testDescription: String { name }

    init(_ fileExtension: String, _ videoCodec: String?, _ video: [String]?, _ audioCodec: String?, _ audio: [String]?)
    {
        name = [fileExtension, videoCodec, audioCodec].compactMap { $0 }.joined(separator: " ")
        self.fileExtension = fileExtension
        self.video = video
        self.audio = audio
        self.videoCodec = videoCodec
        self.audioCodec = audioCodec
    }

    static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"]
    static let aac = ["-c:a", "aac"]

    static let all = [
        Kind("mp4", "h264", h264, "aac", aac),
        Kind(
            "mkv", "hevc", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error"], "opus",
            ["-c:a", "libopus"]),
        Kind(
            "webm", "vp8", ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"], "vorbis",
            ["-c:a", "libvorbis"]),
        Kind(
            "webm", "vp9", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"], "opus",
            ["-c:a", "libopus"]),
        Kind("mp4", "av1", ["-c:v", "libsvtav1", "-preset", "12"], "aac", aac),
        Kind("ts", "h264", h264, "ac3", ["-c:a", "ac3"]),
        Kind("ts", "mpeg2video", ["-c:v", "mpeg2video", "-q:v", "2"], "mp2", ["-c:a", "mp2"]),
        Kind("flv", "h264", h264, "aac", aac),
        Kind("ogg", "theora", ["-c:v", "libtheora", "-q:v", "8"], "vorbis", ["-c:a", "libvorbis"]),
        Kind("mkv", "mpeg4", ["-c:v", "mpeg4", "-q:v", "2"], "eac3", ["-c:a", "eac3"]),
        Kind("mkv", "h264", h264, "dts", ["-c:a", "dca", "-strict", "-2"]),
        Kind("avi", "mpeg4", ["-c:v", "mpeg4", "-q:v", "2"], "mp3", ["-c:a", "libmp3lame"]),
        Kind("mp3", nil, nil, "mp3", ["-c:a", "libmp3lame"]),
        Kind("flac", nil, nil, "flac", ["-c:a", "flac"]),
        Kind("wav", nil, nil, "pcm_s16le", ["-c:a", "pcm_s16le"]),
        Kind("m4a", nil, nil, "aac", aac),
        Kind("ogg", nil, nil, "opus", ["-c:a", "libopus"]),
    ]

    var clip: Clip {
        var clip = Clip()
        clip.duration = 2
        clip.height = 128
        clip.keyInterval = 25
        clip.video = video
        clip.audio = audio
        clip.fileExtension = fileExtension
        return clip
    }
}

@Suite struct DecodeTests {
    @Test(
        "every container and codec plays to its end, each picture once and the tone in its place", arguments: Kind.all)
    func plays(_ kind: Kind) throws {
        let demuxer = try FakeServer(path: kind.clip.path()).demuxer("http://server/film." + kind.fileExtension)
        #expect(demuxer.streams.first { $0.kind == .visual }?.codec == kind.videoCodec)
        #expect(demuxer.streams.first { $0.kind == .audible }?.codec == kind.audioCodec)
        #expect(demuxer.isSeekable)
        #expect(!demuxer.isLive)
        let duration = try #require(demuxer.duration)
        #expect(abs(duration - 2) < 0.15)
        let decoded = try Decoded(demuxer)
        if kind.videoCodec != nil {
            #expect(decoded.numbers == Array(0..<50))
            // Sound may begin a little before or after the first picture.
            let first = try #require(decoded.pictureTimes.first)
            #expect(abs(first) < 0.05)
            // ffmpeg leaves a gap after the first picture in AVI.
            let tolerance = kind.fileExtension == "avi" ? 0.041 : 0.0015
            for (number, time) in decoded.pictureTimes.enumerated() {
                #expect(abs(time - first - Double(number) / 25) < tolerance)
            }
        }
        let start = try #require(decoded.soundStart)
        #expect(abs(start) < 0.06)
        #expect(abs(try #require(decoded.soundEnd) - 2) < 0.15)
        for second in [0.0, 1.0] {
            #expect(decoded.loudness(from: second + 0.02, length: 0.06) > 0.2)
            #expect(decoded.loudness(from: second + 0.2, length: 0.6) < 0.02)
        }
    }
}
