import CFFmpeg
public import Casting

extension VideoFrame {
    /// Pixels of the largest picture that is decoded: enough for 8K, and bounded in memory.
    static let mostPixels = 64 << 20
    /// Pixels from which on a JPEG is decoded at half, a quarter or an eighth of its size: no screen shows more.
    static let manyPixels = 16 << 20

    /// Decodes the first picture of an image file; blocks for as long as that takes.
    ///
    /// - Throws: `decoderNotFound`, `decodeFailed`.
    public static func decode(_ artwork: Artwork) throws(CastError) -> VideoFrame {
        let identifiers: [String: AVCodecID] = [
            "image/jpeg": AV_CODEC_ID_MJPEG, "image/png": AV_CODEC_ID_PNG, "image/gif": AV_CODEC_ID_GIF,
            "image/webp": AV_CODEC_ID_WEBP, "image/bmp": AV_CODEC_ID_BMP,
        ]
        guard let codec = identifiers[artwork.mediaType].flatMap({ avcodec_find_decoder($0) }) else {
            throw CastError(.decoderNotFound, "There is no decoder for this picture (\(artwork.mediaType)).")
        }
        let context = try allocated(
            CObject(avcodec_alloc_context3(codec)) { context in
                var context: UnsafeMutablePointer<AVCodecContext>? = context
                avcodec_free_context(&context)
            })
        context.pointer.pointee.thread_count = 1
        context.pointer.pointee.max_pixels = Int64(mostPixels)
        try check(avcodec_open2(context.pointer, codec, nil), doing: "decoding a picture")
        let packet = try allocated(Packet.makeObject())
        try check(av_new_packet(packet.pointer, Int32(artwork.bytes.count)), doing: "decoding a picture")
        packet.pointer.pointee.data.update(from: artwork.bytes, count: artwork.bytes.count)
        let frame = try allocated(makeFrame())
        _ = avcodec_send_packet(context.pointer, packet.pointer)
        _ = avcodec_send_packet(context.pointer, nil)
        guard avcodec_receive_frame(context.pointer, frame.pointer) >= 0 else {
            throw CastError(.decodeFailed, "The picture cannot be decoded.", hint: "The file may be damaged.")
        }
        let picture = frame.pointer.pointee
        let orientation = Orientation(exifOf: frame.pointer) ?? Orientation()
        let size = Geometry.displaySize(
            width: Int(picture.width), height: Int(picture.height),
            pixelAspects: [picture.sample_aspect_ratio.value], orientation: orientation)
        guard let size else { throw CastError(.decodeFailed, "The picture has no size.") }
        return VideoFrame(
            frame, presentationTime: 0, duration: nil, displaySize: size, orientation: orientation,
            colour: ColourDescription(picture))
    }
}

extension Orientation {
    /// The orientation that a camera noted (Exif 2.3, tag 0x0112); nil where it did not.
    init?(exifOf frame: UnsafeMutablePointer<AVFrame>) {
        guard let text = tag("Orientation", in: frame.pointee.metadata), let number = Int(text) else { return nil }
        self.init(exif: number)
    }

    /// The orientation of that number, 1 to 8.
    init?(exif number: Int) {
        switch number {
        case 1: self.init()
        case 2: self.init(mirrored: true)
        case 3: self.init(rotation: 180)
        case 4: self.init(rotation: 180, mirrored: true)
        case 5: self.init(rotation: 270, mirrored: true)
        case 6: self.init(rotation: 90)
        case 7: self.init(rotation: 90, mirrored: true)
        case 8: self.init(rotation: 270)
        default: return nil
        }
    }
}
