import CFFmpeg
import Casting

/// A `ByteReader` as libavformat sees it: an AVIOContext with its callbacks.
final class InputContext {
    /// The object of libavformat; lives as long as this.
    let pointer: UnsafeMutablePointer<AVIOContext>
    fileprivate let reader: any ByteReader
    fileprivate let network: Network
    fileprivate let isNested: Bool

    /// How much is read at once. Larger than libavformat's own 32 KiB: each read takes a lock or two.
    private static let bufferSize = 65_536

    /// - Parameter isNested: whether it is a piece that a playlist leads to.
    init(_ reader: any ByteReader, network: Network, isNested: Bool = false) throws(CastError) {
        self.reader = reader
        self.isNested = isNested
        self.network = network
        guard let buffer = av_malloc(Self.bufferSize) else { throw CastError(averror: CFF_ERROR_NO_MEMORY, doing: "") }
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0, nil, readBytes, nil, seekBytes)
        guard let context else {
            av_free(buffer)
            throw CastError(averror: CFF_ERROR_NO_MEMORY, doing: "preparing to play")
        }
        pointer = context
        pointer.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        pointer.pointee.seekable = reader.isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    }

    deinit {
        av_free(pointer.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = pointer
        avio_context_free(&context)
    }

    /// Forgets that a read failed, so that the next is tried.
    func clearError() {
        pointer.pointee.error = 0
        pointer.pointee.eof_reached = 0
    }
}

private func readBytes(opaque: UnsafeMutableRawPointer?, buffer: UnsafeMutablePointer<UInt8>?, size: Int32) -> Int32 {
    guard let opaque, let buffer, size > 0 else { return CFF_ERROR_INVALID_ARGUMENT }
    let input = Unmanaged<InputContext>.fromOpaque(opaque).takeUnretainedValue()
    do throws(CastError) {
        let count = try input.reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)))
        return count > 0 ? Int32(count) : CFF_ERROR_EOF
    } catch {
        if input.isNested { input.network.noteLoss(error) }
        return input.network.averror(for: error)
    }
}

private func seekBytes(opaque: UnsafeMutableRawPointer?, offset: Int64, whence: Int32) -> Int64 {
    guard let opaque else { return Int64(CFF_ERROR_INVALID_ARGUMENT) }
    let reader = Unmanaged<InputContext>.fromOpaque(opaque).takeUnretainedValue().reader
    let target: Int64
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return reader.size ?? Int64(CFF_ERROR_NOT_IMPLEMENTED)
    case SEEK_SET: target = offset
    case SEEK_CUR: target = reader.position + offset
    case SEEK_END:
        guard let size = reader.size else { return Int64(CFF_ERROR_NOT_IMPLEMENTED) }
        target = size + offset
    default: return Int64(CFF_ERROR_INVALID_ARGUMENT)
    }
    guard target >= 0 else { return Int64(CFF_ERROR_INVALID_ARGUMENT) }
    reader.seek(to: target)
    return target
}

extension Network {
    /// Keeps the true reason of a failure and answers the number that libavformat is to see.
    func averror(for error: CastError) -> Int32 {
        failure = error
        return cancellation.isCancelled ? CFF_ERROR_EXIT : CFF_ERROR_IO
    }
}
