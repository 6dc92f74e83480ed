import Casting

/// A second of one pixel format.
private func format(_ name: String) -> OddInput {
    OddInput(
        "\(name).mkv", last: 0.96,
        "-f lavfi -i testsrc2=s=160x90:r=25:d=1 -c:v libx264 -preset ultrafast -pix_fmt \(name) \(name).mkv")
}

/// Timestamps, lengths and streams that are not as they should be.
let oddTimes: [OddInput] = [
    OddInput(
        "jump.ts", last: 3.96, "-i base.ts -c copy -output_ts_offset 50 -f mpegts later.ts",
        "join base.ts later.ts > jump.ts"),
    OddInput("reset.ts", last: 3.96, "join base.ts base.ts > reset.ts"),
    OddInput("wrap.ts", last: 1.96, "-i base.ts -c copy -output_ts_offset 95442.7 -f mpegts wrap.ts"),
    OddInput("uneven.mkv", last: 1.9, "V -vf select=not(mod(n\\,7))+lt(mod(n\\,20)\\,4) -vsync vfr X uneven.mkv"),
    OddInput("edited.mp4", last: 0.7, "-ss 1.2 -i base.mp4 -c copy -avoid_negative_ts disabled edited.mp4"),
    OddInput(
        "sound-late.mp4", last: 1.96, "V -itsoffset 1 -f lavfi -i sine=r=48000:d=1 -map 0 -map 1 X C sound-late.mp4"),
    OddInput("picture-late.mkv", last: 2.96, "-itsoffset 1 V A -map 0 -map 1 X C picture-late.mkv"),
    OddInput(
        "jagged.mkv", last: 1.96, "-i base.mp4 -c copy -bsf:v setts=pts='PTS+if(mod(N\\,5)\\,0\\,120)' jagged.mkv"),
    OddInput("short-sound.mp4", last: 1.96, "V -f lavfi -i sine=r=48000:d=0.5 -map 0 -map 1 X C short-sound.mp4"),
    OddInput(
        "short-picture.mp4", last: 0.46,
        "-f lavfi -i testsrc2=s=160x90:r=25:d=0.5 A -map 0 -map 1 X C short-picture.mp4"),
    OddInput("picture-only.mp4", last: 1.96, "V X -an picture-only.mp4"),
    OddInput("sound-only.m4a", "A C sound-only.m4a"),
    OddInput("slide.mp4", last: 1, "-loop 1 -framerate 1 -i cover.jpg A -t 2 -r 1 X C slide.mp4"),
    OddInput("one-picture.mp4", last: 0, "-f lavfi -i testsrc2=s=160x90:r=1/2:d=2 -frames:v 1 X one-picture.mp4"),
    OddInput("raw.h264", last: 1.96, "-i base.mp4 -map 0:v -c copy -bsf:v h264_mp4toannexb raw.h264"),
    OddInput("raw.aac", "-i base.mp4 -map 0:a -c copy raw.aac"),
    OddInput("three.gif", last: 2, "-f lavfi -i testsrc2=s=80x60:r=1:d=3 three.gif"),
]

/// Shape, pixels and formats, some of which change on the way.
let oddPictures: [OddInput] = [
    OddInput("quarter.mp4", last: 1.96, "-i base.mp4 -c copy -metadata:s:v:0 rotate=90 quarter.mp4"),
    OddInput("half.mp4", last: 1.96, "-i base.mp4 -c copy -metadata:s:v:0 rotate=180 half.mp4"),
    OddInput("wide-pixels.mp4", last: 1.96, "V -vf setsar=16/11 X wide-pixels.mp4"),
    OddInput(
        "two-aspects.mkv", last: 1.96, "V -vf setsar=16/11 X wide.mp4",
        "-i wide.mp4 -c copy -aspect 4:3 two-aspects.mkv"),
    OddInput(
        "fields.ts", last: 1.96,
        "-f lavfi -i testsrc2=s=320x240:r=50:d=2 -vf interlace=scan=tff -c:v mpeg2video -flags +ildct+ilme -b:v 800k fields.ts"
    ),
    OddInput(
        "fields.mkv", last: 1.96,
        "-f lavfi -i testsrc2=s=320x240:r=50:d=2 -vf interlace=scan=bff -c:v libx264 -preset ultrafast -x264opts bff=1 -pix_fmt yuv420p fields.mkv"
    ),
    format("yuv420p10le"), format("yuv422p"), format("yuv422p10le"), format("yuv444p"), format("yuv444p10le"),
    format("yuvj420p"), format("gray"),
    OddInput(
        "rgb.mkv", last: 0.96,
        "-f lavfi -i testsrc2=s=160x90:r=25:d=1 -c:v libx264rgb -preset ultrafast -pix_fmt rgb24 rgb.mkv"),
    OddInput("planes.mkv", last: 0.9, "-f lavfi -i testsrc2=s=160x90:r=10:d=1 -c:v ffv1 -pix_fmt gbrp10le planes.mkv"),
    OddInput(
        "odd.webm", last: 0.96,
        "-f lavfi -i testsrc2=s=160x90:r=25:d=1 -vf scale=161:91 -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv420p odd.webm"
    ),
    OddInput(
        "hdr.mkv", last: 0.96,
        "-f lavfi -i testsrc2=s=160x90:r=25:d=1 -c:v libx265 -preset ultrafast -x265-params log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:hdr10=1:max-cll=1000,400 -pix_fmt yuv420p10le hdr.mkv"
    ),
    OddInput(
        "clear.webm", last: 0.9,
        "-f lavfi -i testsrc2=s=160x90:r=10:d=1,format=yuva420p,colorchannelmixer=aa=0.5 -c:v libvpx-vp9 -cpu-used 8 -pix_fmt yuva420p -auto-alt-ref 0 clear.webm"
    ),
    OddInput(
        "grows.ts", last: 3.96, "V A X C -f mpegts small.ts",
        "-f lavfi -i testsrc2=s=640x360:r=25:d=2 A X C -output_ts_offset 2 -f mpegts large.ts",
        "join small.ts large.ts > grows.ts"),
    OddInput(
        "more-channels.ts", "A -ac 2 -c:a ac3 -f mpegts two.ts",
        "A -ac 6 -c:a ac3 -output_ts_offset 2 -f mpegts six.ts",
        "join two.ts six.ts > more-channels.ts"),
    OddInput(
        "other-rate.ts", "A -ac 2 -c:a mp2 -f mpegts fast.ts",
        "A -ar 44100 -ac 2 -c:a mp2 -output_ts_offset 2 -f mpegts slow.ts", "join fast.ts slow.ts > other-rate.ts"),
    OddInput(
        "cover.mp3",
        "-f lavfi -i sine=f=1000:r=48000:d=4 -i cover.jpg -map 0:a -map 1:v -c:a libmp3lame -b:a 96k -c:v copy -id3v2_version 3 -disposition:v attached_pic cover.mp3"
    ),
    OddInput("cover.m4a", "A -i cover.jpg -map 0 -map 1 -c:a aac -c:v copy -disposition:v attached_pic cover.m4a"),
]

/// Indexes, interleaving, damage, text and playlists.
let oddContainers: [OddInput] = [
    OddInput(
        "one-key.mp4", last: 5.96,
        "-f lavfi -i testsrc2=s=160x90:r=25:d=6 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 100000 -sc_threshold 0 one-key.mp4"
    ),
    OddInput(
        "open-groups.ts", last: 3.96,
        "-f lavfi -i testsrc2=s=160x90:r=25:d=4 -c:v libx264 -preset fast -bf 3 -x264opts open-gop=1:keyint=50 -pix_fmt yuv420p open-groups.ts"
    ),
    OddInput("no-cues.mkv", last: 1.96, "-i base.mp4 -c copy -f matroska -live 1 no-cues.mkv"),
    OddInput("cut.ts", "cut 66 base.ts > cut.ts"),
    OddInput(
        "cut.mkv", error: .fileFailedToParse, "-i base.mp4 -c copy -f matroska whole.mkv", "cut 66 whole.mkv > cut.mkv"),
    OddInput("cut.mp4", error: .fileFailedToParse, "cut 66 base.mp4 > cut.mp4"),
    OddInput("index-first.mp4", last: 1.96, "-i base.mp4 -c copy -movflags +faststart index-first.mp4"),
    OddInput(
        "pieces.mp4", last: 1.96, "-i base.mp4 -c copy -movflags +frag_keyframe+empty_moov+default_base_moof pieces.mp4"
    ),
    OddInput("noise.ts", last: 1.96, "spoil base.ts > noise.ts"),
    OddInput(
        "apart.avi", last: 1.96, "V A -map 0 -map 1 X -c:a pcm_s16le -flush_packets 0 -max_interleave_delta 1 apart.avi"
    ),
    OddInput(
        "cues.mkv", last: 1.96,
        "-i base.mp4 -i cues.srt -map 0 -map 1 -c copy -c:s srt -disposition:s:0 default cues.mkv"),
    OddInput("cues.mp4", last: 1.96, "-i base.mp4 -i cues.srt -map 0 -map 1 -c copy -c:s mov_text cues.mp4"),
    OddInput("styled.mkv", last: 1.96, "-i base.mp4 -i cues.srt -map 0 -map 1 -c copy -c:s ass styled.mkv"),
    OddInput(
        "chapters.mkv", last: 1.96,
        "write ;FFMETADATA1\\n[CHAPTER]\\nTIMEBASE=1/1000\\nSTART=0\\nEND=1000\\ntitle=One\\n[CHAPTER]\\nTIMEBASE=1/1000\\nSTART=1000\\nEND=9000\\ntitle=Two\\n > chapters.txt",
        "-i base.mp4 -i chapters.txt -map_metadata 1 -map_chapters 1 -c copy chapters.mkv"),
    OddInput(
        "segments.m3u8", last: 1.96,
        "-i base.mp4 -c copy -hls_time 1 -hls_list_size 0 -hls_segment_filename s%d.ts segments.m3u8"),
    OddInput(
        "movie.m3u8", last: 1.96,
        "-i base.mp4 -c copy -hls_time 1 -hls_list_size 0 -hls_segment_type fmp4 -hls_segment_filename m%d.m4s movie.m3u8"
    ),
    OddInput(
        "parts.m3u8", last: 3.96,
        "write #EXTM3U\\n#EXT-X-VERSION:3\\n#EXT-X-TARGETDURATION:2\\n#EXTINF:2,\\nbase.ts\\n#EXT-X-DISCONTINUITY\\n#EXTINF:2,\\nbase.ts\\n#EXT-X-ENDLIST\\n > parts.m3u8"
    ),
    OddInput(
        "master.m3u8", last: 1.96,
        "V A -map 0:v -map 0:v -map 1:a -map 1:a X -s:v:0 80x46 -s:v:1 160x90 C -f hls -hls_time 1 -hls_list_size 0 -var_stream_map v:0,a:0\u{a0}v:1,a:1 -master_pl_name master.m3u8 -hls_segment_filename v%v_%d.ts v%v.m3u8"
    ),
]
