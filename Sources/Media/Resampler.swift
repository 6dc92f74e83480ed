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

        init(_ frame: AudioFrame) {
            let pointer = frame.object.pointer
            format = pointer.pointee.format
            sampleRate = frame.sampleRate
            channelCount = frame.channelCount
            channelMask =
                pointer.pointee.ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? pointer.pointee.ch_layout.u.mask : 0
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
        var inputLayout = AVChannelLayout()
        var outputLayout = AVChannelLayout()
        av_channel_layout_default(&outputLayout, Int32(channelCount))
        if input.channelMask != 0 {
            av_channel_layout_from_mask(&inputLayout, input.channelMask)
        } else {
            av_channel_layout_default(&inputLayout, Int32(input.channelCount))
        }
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
        try check(swr_init(context.pointer), doing: "preparing the sound")
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
