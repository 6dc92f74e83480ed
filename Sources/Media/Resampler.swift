import CFFmpeg
import Casting

/// libswresample set up for one kind of input: its samples become interleaved floats.
final class Resampler {
    /// What a resampler is set up for.
    struct Input: Equatable {
        var format: Int32
        var sampleRate: Int
        var channelCount: Int
        var channelMask: UInt64
        var isAmbisonic: Bool

        init(_ frame: AudioFrame) {
            let pointer = frame.object.pointer
            format = pointer.pointee.format
            sampleRate = frame.sampleRate
            channelCount = frame.channelCount
            channelMask =
                pointer.pointee.ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? pointer.pointee.ch_layout.u.mask : 0
            isAmbisonic = pointer.pointee.ch_layout.order == AV_CHANNEL_ORDER_AMBISONIC
        }
    }

    let input: Input
    private let sampleRate: Int
    private let channelCount: Int
    private let context: CObject<OpaquePointer>

    init(for frame: AudioFrame, sampleRate: Int, channelCount: Int) throws(CastError) {
        input = Input(frame)
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        var inputLayout = Self.layout(of: input)
        var outputLayout = deviceLayout(channelCount)
        var pointer: OpaquePointer?
        let code = swr_alloc_set_opts2(
            &pointer, &outputLayout, AV_SAMPLE_FMT_FLT, Int32(sampleRate), &inputLayout, AVSampleFormat(input.format),
            Int32(input.sampleRate), 0, nil)
        context = try allocated(
            CObject(pointer) { context in
                var context: OpaquePointer? = context
                swr_free(&context)
            })
        try check(code, doing: "preparing the sound")
        // Mixing many channels into few must not get louder than the device can play.
        av_opt_set_double(UnsafeMutableRawPointer(context.pointer), "rematrix_maxval", 1, 0)
        if inputLayout.order != AV_CHANNEL_ORDER_NATIVE {
            let matrix = Self.matrix(for: input, channelCount: channelCount)
            try check(
                swr_set_matrix(context.pointer, matrix, Int32(input.channelCount)), doing: "preparing the sound")
        }
        try check(swr_init(context.pointer), doing: "preparing the sound")
    }

    /// The input's loudspeakers: those it names, else those usual for so many channels, else none in particular.
    private static func layout(of input: Input) -> AVChannelLayout {
        var layout = AVChannelLayout()
        if input.channelMask != 0 {
            av_channel_layout_from_mask(&layout, input.channelMask)
        } else if !input.isAmbisonic {
            av_channel_layout_default(&layout, Int32(input.channelCount))
        } else {
            layout.order = AV_CHANNEL_ORDER_UNSPEC
            layout.nb_channels = Int32(input.channelCount)
        }
        return layout
    }

    /// What each channel gives to each loudspeaker where the channels are for none in particular: they are dealt out in
    /// turn, and none gets louder than it can play. Of ambisonic sound all get the first channel, which has all of it.
    private static func matrix(for input: Input, channelCount: Int) -> [Double] {
        let shares = (0..<channelCount).map { output in
            (0..<input.channelCount).map { source -> Double in
                if input.isAmbisonic { return source == 0 ? 1 : 0 }
                return source % channelCount == output ? 1 : 0
            }
        }
        return shares.flatMap { row in
            let sum = row.reduce(0, +)
            return row.map { sum > 0 ? $0 / sum : 0 }
        }
    }

    /// Seconds of input that lie inside.
    var delay: Double { Double(swr_get_delay(context.pointer, 1_000_000)) / 1e6 }

    /// Converts a frame; nil gives what is still inside.
    func convert(_ frame: AudioFrame?) throws(CastError) -> [Float] {
        let inputCount = Int32(frame?.sampleCount ?? 0)
        let capacity = swr_get_out_samples(context.pointer, inputCount)
        try check(capacity, doing: "converting the sound")
        guard capacity > 0 else { return [] }
        var code: Int32 = 0
        let samples = [Float](unsafeUninitializedCapacity: Int(capacity) * channelCount) { buffer, count in
            buffer.withMemoryRebound(to: UInt8.self) { bytes in
                var output: UnsafeMutablePointer<UInt8>? = bytes.baseAddress
                if let data = frame?.object.pointer.pointee.extended_data {
                    code = data.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 1) {
                        swr_convert(context.pointer, &output, capacity, $0, inputCount)
                    }
                } else {
                    code = swr_convert(context.pointer, &output, capacity, nil, 0)
                }
            }
            count = max(0, Int(code)) * channelCount
        }
        try check(code, doing: "converting the sound")
        return samples
    }
}

/// The loudspeakers of a device with so many channels, in the order in which SDL has them.
func deviceLayout(_ channelCount: Int) -> AVChannelLayout {
    var layout = AVChannelLayout()
    // FFmpeg's bits: front left 1, front right 2, low frequencies 8, back left 16, back right 32.
    let mask: UInt64? =
        switch channelCount {
        case 3: 1 | 2 | 8
        case 4: 1 | 2 | 16 | 32
        case 5: 1 | 2 | 8 | 16 | 32
        default: nil
        }
    if let mask {
        av_channel_layout_from_mask(&layout, mask)
    } else {
        av_channel_layout_default(&layout, Int32(channelCount))
    }
    return layout
}
