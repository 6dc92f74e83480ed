import Casting
import Testing

@testable import Playback

private let hd = Size(width: 1080, height: 720)
private let fullHD = Size(width: 1920, height: 1080)
private let upright = Size(width: 1080, height: 1920)

/// A file of 30 pictures of 1080×720 with sound, as many of them are.
private func second(
    _ path: String, _ duration: Double?, _ tracks: String = "*v:h264 *a:aac", last: Double = 0.967,
    more: @escaping @Sendable (PlayThrough) throws -> Void = { _ in }
) -> SharedFile {
    SharedFile(
        path: path, duration: duration, tracks: tracks, size: hd, pictures: 0...last, more: more)
}

/// Every file that is listed in the folder's own description, and what it must do.
let sharedFiles: [SharedFile] = [
    SharedFile(
        path: "avi/sample-with-large-length.avi", duration: 1.97, tracks: "*v:h264 *a:mp3",
        size: Size(width: 256, height: 144), pictures: 0.1...2.03),
    SharedFile(
        path: "avi/sample.avi", duration: 4.09, tracks: "*v:mpeg4 *a:mp3", size: Size(width: 960, height: 400),
        pictures: 0...4.05),
    SharedFile(path: "flac/bear_with_picture.flac", duration: 2.74, tracks: "*a:flac", sound: 2.6) { play in
        #expect(play.item?.artworkType == "image/png")
    },
    second("flv/sample.flv", 1.14),
    SharedFile(path: "mka/opus-5.1.mka", duration: 2.76, tracks: "*a:opus", sound: 2.73),
    SharedFile(path: "mkv/full_blocks.mkv", ending: .any, tracks: ""),
    second("mkv/sample_with_ass_subtitles.mkv", 1.14, "*v:h264 *a:ac3 t:ass") { play in
        #expect(play.legible.map(\.playable) == [true])
    },
    second("mkv/sample_with_htc_rotation_track_name.mkv", 1.07, "*v:h264 *a:ac3"),
    second("mkv/sample_with_null_terminated_srt.mkv", 1.23, "*v:h264 *a:ac3 t:subrip"),
    second("mkv/sample_with_overlapping_srt.mkv", 1.07, "*v:h264 *a:ac3 t:subrip"),
    second("mkv/sample_with_pgs_subtitles.mkv", 1.24, "*v:h264 *a:ac3 t:hdmv_pgs_subtitle", last: 0.05) { play in
        #expect(play.legible.map(\.playable) == [true])
    },
    SharedFile(
        path: "mkv/sample_with_vtt_subtitles.mkv", duration: 1.23, tracks: "*", size: hd, pictures: 0...0.967
    ) { play in #expect(play.legible.count == 1) },
    SharedFile(path: "mp3/200kB-garbage-prefix.mp3", tracks: "*a:mp3"),
    SharedFile(path: "mp3/bear-id3.mp3", duration: 2.7, tracks: "*a:mp3", sound: 2.6) { play in
        #expect(play.item?.artworkType == "image/jpeg")
        #expect(play.item?.title != nil && play.item?.artist != nil)
    },
    SharedFile(path: "mp3/bear-vbr-no-seek-table.mp3", duration: 2.7, tracks: "*a:mp3", sound: 2.6),
    SharedFile(
        path: "mp4/bt601.mp4", duration: 1.09, tracks: "*v:h264 *a:aac", size: Size(width: 360, height: 240),
        pictures: 0...0.967),
    SharedFile(
        path: "mp4/edit_list_positive_shift.mp4", duration: 10.0, tracks: "*v:h264 *a:aac", size: fullHD,
        pictures: 1.0...9.97),
    SharedFile(
        path: "mp4/fragmented_captions.mp4", duration: 2.0, tracks: "*v:h264", size: Size(width: 416, height: 234),
        pictures: 0...1.97
    ) { play in #expect(play.legible.contains { $0.playable }) },
    SharedFile(
        path: "mp4/hdr10-av1.mp4", duration: 4.24, tracks: "*v:av1 *a:aac", size: Size(width: 720, height: 1280),
        pictures: 0...4.2
    ) { play in #expect(play.item?.dynamicRange == ShownDynamicRange(media: .pq, shown: .sdr)) },
    SharedFile(
        path: "mp4/hlg10-color-test.mp4", duration: 0.3, tracks: "*a:aac *v:hevc", size: fullHD, pictures: 0...0.27
    ) { play in #expect(play.item?.dynamicRange == ShownDynamicRange(media: .hlg, shown: .sdr)) },
    SharedFile(path: "mp4/long_edit_list_audioonly.mp4", duration: 1.55, tracks: "*a:aac", sound: 1.55),
    SharedFile(path: "mp4/sample_audio_only.mp4", duration: 1.09, tracks: "*a:aac"),
    SharedFile(path: "mp4/sample_eac3joc.mp4", duration: 2.05, tracks: "*a:eac3", sound: 1.97),
    SharedFile(
        path: "mp4/sample_edit_list.mp4", duration: 2.55, tracks: "*v:hevc *a:aac", size: upright, pictures: 0...2.5
    ) { play in #expect(play.item?.dynamicRange == ShownDynamicRange(media: .hlg, shown: .sdr)) },
    SharedFile(
        path: "mp4/sample_edit_list_no_sync_frame_before_edit.mp4", duration: 2.77, tracks: "*v:hevc *a:aac",
        size: upright, pictures: 0...1.97),
    second("mp4/sample_empty_track.mp4", 1.07),
    second("mp4/sample_fragmented.mp4", nil) { play in
        // It claims 40 hours.
        #expect((play.item?.duration ?? 1) < 2)
    },
    second("mp4/sample_fragmented_seekable.mp4", 1.13),
    SharedFile(path: "mp4/sample_malformed_free_box.mp4", ending: .failed(.fileFailedToParse), tracks: ""),
    second("mp4/sample_mdat_too_long.mp4", 1.02),
    SharedFile(
        path: "mp4/sample_portrait.mp4", duration: 1.09, tracks: "*v:h264 *a:aac",
        size: Size(width: 720, height: 1080), pictures: 0...0.967),
    SharedFile(
        path: "mp4/sample_rotate_and_reflect.mp4", duration: 1.02, tracks: "*v:h264 *a:aac",
        size: Size(width: 720, height: 1080), pictures: 0...0.967),
    SharedFile(
        path: "mp4/sample_shorter_audio.mp4", duration: 1.2, tracks: "*v:h264 *a:aac",
        size: Size(width: 320, height: 240), pictures: 0...1.18),
    SharedFile(
        path: "mp4/sample_video_only.mp4", duration: 1.0, tracks: "*v:h264", size: hd, pictures: 0...0.967),
    second("mp4/sample_with_chapters.mp4", 1.09) { play in
        let chapters = play.item?.chapters ?? []
        #expect(!chapters.isEmpty && chapters.allSatisfy { $0.title?.isEmpty == false && $0.start < $0.end })
    },
    second("mp4/sample_with_vobsub.mp4", 1.24, "*v:h264 *a:ac3 t:dvd_subtitle", last: 0.05) { play in
        #expect(play.legible.map(\.playable) == [true])
    },
    SharedFile(
        path: "mp4/sample_without_stss.mp4", duration: 1.0, tracks: "*v:h264", size: hd, pictures: 0...0.967),
    SharedFile(path: "ogg/bear.opus", duration: 2.74, tracks: "*a:opus", sound: 2.6),
    SharedFile(path: "ogg/bear_vorbis_gap.ogg", duration: 2.74, tracks: "*a:vorbis", sound: 2.6),
    SharedFile(
        path: "ts/bbb_2500ms.ts", duration: 2.51, tracks: "*v:mpeg2video *a:mp2", size: fullHD, pictures: 0...2.4),
    SharedFile(path: "ts/sample_ait.ts", duration: 0.58, tracks: "*a:eac3", sound: 0.6),
    SharedFile(
        path: "ts/sample_h262_mpeg_audio.ps", duration: 0.13, tracks: "*v:mpeg2video *a:mp2",
        size: Size(width: 640, height: 426), pictures: 0...0.07),
    SharedFile(
        path: "ts/sample_h264_iframes_only.ts", duration: 1.0, tracks: "*v:h264", size: Size(width: 854, height: 480),
        pictures: 0...0.9),
    SharedFile(
        path: "vp9/bear-vp9-odd-dimensions.webm", duration: 1.0, tracks: "*v:vp9", size: Size(width: 161, height: 121),
        pictures: 0...0.967),
    SharedFile(path: "vp9/invalid-bitstream.webm", ending: .any, tracks: ""),
    SharedFile(
        path: "vp9/roadtrip-vp92-10bit.webm", duration: 3.0, tracks: "*v:vp9", size: Size(width: 426, height: 240),
        pictures: 0...2.96),
    SharedFile(path: "wav/sample_192khz.wav", duration: 1.0, tracks: "*a:pcm_s16le"),
    SharedFile(path: "wav/sample_rf64.wav", duration: 0.35, tracks: "*a:pcm_s16le"),
    SharedFile(path: "wav/sample_with_trailing_bytes.wav", duration: 1.0, tracks: "*a:pcm_s16le") { play in
        // The tone is this quiet; bytes that are no samples would be louder.
        #expect(play.peak < 0.0025)
    },
]
