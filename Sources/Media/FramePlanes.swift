import CFFmpeg
package import Casting

/// The memory of a frame, for those who bring pixels to the screen as they are stored.
package struct FramePlanes {
    /// How samples lie in the planes.
    package enum Layout: Hashable, Sendable {
        /// Luma alone.
        case gray
        /// A plane of luma and one of chroma pairs.
        case pairs
        /// A plane each of luma, blue difference and red difference.
        case planar
    }

    /// A plane.
    package struct Plane {
        /// Its first row. Valid as long as the frame.
        package var bytes: UnsafeRawPointer
        /// Bytes from one row to the next.
        package var stride: Int
        /// Rows.
        package var height: Int
    }

    package var layout: Layout
    package var planes: [Plane]
    /// Bits of a sample: 8, or more in two bytes.
    package var bits: Int
    /// Bits that the sample is shifted to the left.
    package var shift: Int
    /// Luma samples for one of chroma, in width and height; 1, 2 or 4.
    package var chroma: (x: Int, y: Int)
}

extension VideoFrame {
    /// Its planes; nil for layouts that are better converted by a `Scaler` first.
    package var planes: FramePlanes? {
        let frame = object.pointer.pointee
        guard let format = av_pix_fmt_desc_get(AVPixelFormat(frame.format)) else { return nil }
        let flags = UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_BITSTREAM)
        let other = UInt64(
            AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_HWACCEL)
        guard format.pointee.flags & (flags | other) == 0 else { return nil }
        let luma = format.pointee.comp.0
        let (bits, shift) = (Int(luma.depth), Int(luma.shift))
        let width = bits > 8 ? 2 : 1
        guard bits >= 8, bits <= 16, Int(luma.step) == width else { return nil }
        let count = Int(av_pix_fmt_count_planes(AVPixelFormat(frame.format)))
        let (data, lines) = (frame.data, frame.linesize)
        let starts = [data.0, data.1, data.2]
        let strides = [lines.0, lines.1, lines.2].map { Int($0) }
        let layout: FramePlanes.Layout
        switch (format.pointee.nb_components, count) {
        case (1, 1): layout = .gray
        // The pairs of blue before red only.
        case (3, 2) where format.pointee.comp.1.offset == 0 && Int(format.pointee.comp.1.step) == 2 * width:
            layout = .pairs
        case (3, 3): layout = .planar
        default: return nil
        }
        let (down, across) = (Int(format.pointee.log2_chroma_h), Int(format.pointee.log2_chroma_w))
        var planes: [FramePlanes.Plane] = []
        for index in 0..<count {
            let texel = layout == .pairs && index == 1 ? 2 * width : width
            guard let start = starts[index], strides[index] > 0, strides[index] % texel == 0 else { return nil }
            let rows = index == 0 ? height : -(-height >> down)
            planes.append(FramePlanes.Plane(bytes: UnsafeRawPointer(start), stride: strides[index], height: rows))
        }
        return FramePlanes(
            layout: layout, planes: planes, bits: bits, shift: shift, chroma: (1 << across, 1 << down))
    }

    /// A frame of samples in one of FFmpeg's pixel formats, planes one after the other without gaps. For tests.
    package convenience init?(
        format name: String, width: Int, height: Int, bytes: [UInt8], colour: ColourDescription,
        orientation: Orientation = Orientation()
    ) throws(CastError) {
        let format = av_get_pix_fmt(name)
        let (wide, high) = (Int32(width), Int32(height))
        guard format != AV_PIX_FMT_NONE, bytes.count == Int(av_image_get_buffer_size(format, wide, high, 1)) else {
            return nil
        }
        let object = try allocated(makeFrame())
        let frame = object.pointer
        (frame.pointee.format, frame.pointee.width, frame.pointee.height) = (format.rawValue, wide, high)
        try check(av_frame_get_buffer(frame, 0), doing: "making a picture")
        let source = try allocated(makeFrame())
        var code: Int32 = 0
        bytes.withUnsafeBufferPointer { buffer in
            code = withUnsafeMutablePointer(to: &source.pointer.pointee.data) { data in
                data.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { data in
                    withUnsafeMutablePointer(to: &source.pointer.pointee.linesize) { lines in
                        lines.withMemoryRebound(to: Int32.self, capacity: 8) { lines in
                            av_image_fill_arrays(data, lines, buffer.baseAddress, format, wide, high, 1)
                        }
                    }
                }
            }
            guard code >= 0 else { return }
            (source.pointer.pointee.format, source.pointer.pointee.width, source.pointer.pointee.height) =
                (format.rawValue, wide, high)
            code = av_frame_copy(frame, source.pointer)
        }
        try check(code, doing: "making a picture")
        let turned = orientation.swapsAxes
        self.init(
            object, presentationTime: 0, duration: nil,
            displaySize: turned ? Size(width: height, height: width) : Size(width: width, height: height),
            orientation: orientation, colour: colour)
    }
}

extension ColourDescription {
    /// Red, green and blue, 0 to 1, from luma and chroma, 0 to 1 of their numbers' range.
    ///
    /// - Parameter bits: bits of a number.
    /// - Returns: what to take away first, and then the matrix's columns: for luma, blue and red difference.
    package func decoding(bits: Int) -> (offset: [Float], columns: [[Float]]) {
        let (red, blue): (Double, Double) =
            switch matrix {
            case .bt709, .rgb: (0.2126, 0.0722)
            case .bt601: (0.299, 0.114)
            case .bt2020: (0.2627, 0.0593)
            case .fcc: (0.30, 0.11)
            case .smpte240m: (0.212, 0.087)
            }
        let green = 1 - red - blue
        let top = Double(1 << bits - 1)
        let unit = Double(1 << (bits - 8))
        let luma = isFullRange ? 1 : top / (219 * unit)
        let chroma = isFullRange ? 1 : top / (224 * unit)
        let middle = 128 * unit / top
        let columns: [[Double]] = [
            [luma, luma, luma],
            [0, -2 * (1 - blue) * blue / green * chroma, 2 * (1 - blue) * chroma],
            [2 * (1 - red) * chroma, -2 * (1 - red) * red / green * chroma, 0],
        ]
        return (
            [isFullRange ? 0 : 16 * unit / top, middle, middle].map { Float($0) }, columns.map { $0.map { Float($0) } }
        )
    }
}
