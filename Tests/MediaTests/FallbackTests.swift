import CFFmpeg
import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

/// A chip that decodes like the processor, and at some point no longer.
private final class FailingChip: FrameDecoder {
    enum Failure: Sendable {
        case sending, receiving, silence
    }

    private let decoder: Decoder
    private let failure: Failure
    private var framesLeft: Int

    init(_ stream: MediaStream, after frames: Int, _ failure: Failure) throws {
        decoder = try Decoder(stream)
        framesLeft = frames
        self.failure = failure
    }

    var skipsNonReferenceFrames = false

    func send(_ packet: Packet?) throws(CastError) {
        if framesLeft == 0, failure == .sending { throw CastError(.decodeFailed, "The chip is on fire.") }
        try decoder.send(packet)
    }

    func receive() throws(CastError) -> CObject<UnsafeMutablePointer<AVFrame>>? {
        if framesLeft == 0, failure != .sending {
            if failure == .silence { return nil }
            throw CastError(.decodeFailed, "The chip is on fire.")
        }
        guard let frame = try decoder.receive() else { return nil }
        framesLeft -= 1
        return frame
    }

    func flush() { decoder.flush() }
}

@Suite struct FallbackTests {
    static let clips: [[String]] = [
        ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-bf", "3"],
        // Open groups of pictures: some that come before the key frame are decoded after it.
        ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-bf", "3", "-x264-params", "open-gop=1"],
        ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"],
    ]

    private static func demuxer(_ video: [String]) throws -> Demuxer {
        var clip = Clip()
        clip.video = video
        clip.audio = nil
        clip.keyInterval = 20
        clip.fileExtension = "mkv"
        return try FakeServer(path: clip.path()).demuxer()
    }

    @Test(
        "where a chip fails, no picture is lost and none comes twice", arguments: clips,
        [
            (0, FailingChip.Failure.receiving), (0, .sending), (0, .silence), (1, .receiving), (37, .receiving),
            (41, .sending), (60, .silence), (99, .receiving),
        ])
    fileprivate func failure(_ video: [String], _ point: (frames: Int, failure: FailingChip.Failure)) throws {
        let demuxer = try Self.demuxer(video)
        let stream = try #require(demuxer.streams.first)
        let decoder = try VideoDecoder(stream, chip: FailingChip(stream, after: point.frames, point.failure))
        #expect(decoder.usesChip)
        let times = try DeinterlacerTests.pictures(demuxer, decoder).map(\.presentationTime)
        #expect(times.count == 100)
        for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 25) < 0.002, "picture \(index)") }
        #expect(!decoder.usesChip)
    }

    @Test("it fails after a seek as well as before", arguments: clips)
    func seek(_ video: [String]) throws {
        let demuxer = try Self.demuxer(video)
        let stream = try #require(demuxer.streams.first)
        let decoder = try VideoDecoder(stream, chip: FailingChip(stream, after: 35, .receiving))
        _ = try DeinterlacerTests.pictures(demuxer, decoder, upTo: 30)
        _ = try demuxer.seek(to: 2)
        decoder.flush()
        let times = try DeinterlacerTests.pictures(demuxer, decoder).map(\.presentationTime).filter { $0 > 1.99 }
        #expect(!decoder.usesChip)
        #expect(times.count == 50)
        for (index, time) in times.enumerated() { #expect(abs(time - 2 - Double(index) / 25) < 0.002) }
    }

    @Test("chips are not tried with what they are known to fail at")
    func profiles() {
        #expect(ChipProfile.isTried(AV_CODEC_ID_H264, profile: FF_PROFILE_H264_HIGH, fields: AV_FIELD_PROGRESSIVE))
        #expect(!ChipProfile.isTried(AV_CODEC_ID_H264, profile: FF_PROFILE_H264_BASELINE, fields: AV_FIELD_UNKNOWN))
        #expect(!ChipProfile.isTried(AV_CODEC_ID_H264, profile: FF_PROFILE_H264_HIGH_10, fields: AV_FIELD_PROGRESSIVE))
        #expect(!ChipProfile.isTried(AV_CODEC_ID_H264, profile: FF_PROFILE_H264_HIGH, fields: AV_FIELD_TT))
        #expect(ChipProfile.isTried(AV_CODEC_ID_HEVC, profile: FF_PROFILE_HEVC_MAIN_10, fields: AV_FIELD_UNKNOWN))
        #expect(!ChipProfile.isTried(AV_CODEC_ID_HEVC, profile: FF_PROFILE_HEVC_REXT, fields: AV_FIELD_UNKNOWN))
    }
}
