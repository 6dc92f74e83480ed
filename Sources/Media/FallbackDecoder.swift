import CFFmpeg
import Casting

/// A chip's decoder for as long as it works, and from its first failure on the processor's, without a frame lost.
///
/// Packets are kept from the last key frame of which the picture has come out. Where the chip fails, the processor gets
/// them again, and of what it makes of them, only what has not come out yet is handed on.
final class FallbackDecoder: FrameDecoder {
    /// Packets without a single frame after which a chip is given up.
    static let patience = 96
    /// Bytes of packets that are kept at most. Above that, a failure loses frames up to the next key frame.
    static let keptBytes = 64 << 20

    private var chip: (any FrameDecoder)?
    private let makeProcessor: () throws(CastError) -> any FrameDecoder
    private let noteFailure: (CastError) -> Void
    private var processor: (any FrameDecoder)?
    private var kept: [Packet] = []
    private var keptSize = 0
    private var sentSinceFrame = 0
    private var isDraining = false
    /// Timestamp of the last frame that came out, and how many have come out since the first packet that is kept.
    private var lastTime: Int64?
    private var cameOut = 0
    /// What is still to be fed again, and what of its frames to leave out.
    private var again: ArraySlice<Packet?> = []
    private var leftOut: (upTo: Int64?, count: Int) = (nil, 0)

    /// - Parameters:
    ///   - chip: nil where there is none.
    ///   - processor: makes the decoder to fall back to.
    ///   - failed: told once, when the chip fails.
    init(
        chip: (any FrameDecoder)?, processor: @escaping () throws(CastError) -> any FrameDecoder,
        failed: @escaping (CastError) -> Void = { _ in }
    ) throws(CastError) {
        self.chip = chip
        makeProcessor = processor
        noteFailure = failed
        if chip == nil { self.processor = try processor() }
    }

    /// Whether a chip does the work.
    var usesChip: Bool { chip != nil }

    var skipsNonReferenceFrames: Bool = false {
        didSet {
            chip?.skipsNonReferenceFrames = skipsNonReferenceFrames
            processor?.skipsNonReferenceFrames = skipsNonReferenceFrames
        }
    }

    func send(_ packet: Packet?) throws(CastError) {
        isDraining = packet == nil
        guard let chip else {
            try processor?.send(packet)
            return
        }
        if let packet { keep(packet) }
        do throws(CastError) {
            sentSinceFrame += 1
            if sentSinceFrame > Self.patience { throw Self.silent }
            try chip.send(packet)
        } catch {
            try fallBack(error)
        }
    }

    func receive() throws(CastError) -> CObject<UnsafeMutablePointer<AVFrame>>? {
        if let chip {
            do throws(CastError) {
                let frame = try chip.receive()
                if let frame { note(frame.pointer.pointee) }
                if frame != nil || !isDraining || !isMissingSome { return frame }
                throw Self.silent
            } catch {
                try fallBack(error)
            }
        }
        guard let processor else { return nil }
        while true {
            if let frame = try processor.receive() {
                if isLeftOut(frame.pointer.pointee) { continue }
                return frame
            }
            guard let packet = again.popFirst() else { return nil }
            try processor.send(packet)
        }
    }

    func flush() {
        chip?.flush()
        processor?.flush()
        kept = []
        keptSize = 0
        again = []
        leftOut = (nil, 0)
        (lastTime, cameOut, sentSinceFrame, isDraining) = (nil, 0, 0, false)
    }

    private func keep(_ packet: Packet) {
        kept.append(packet)
        keptSize += packet.byteCount
        guard keptSize > Self.keptBytes else { return }
        kept = []
        keptSize = 0
        cameOut = 0
    }

    /// Takes in that the chip gave a frame: everything before its key frame is done with.
    private func note(_ frame: AVFrame) {
        sentSinceFrame = 0
        cameOut += 1
        guard frame.best_effort_timestamp != CFF_NO_TIME else { return }
        lastTime = frame.best_effort_timestamp
        let done = kept.lastIndex { packet in
            let time = packet.object.pointer.pointee.pts
            return packet.isKey && time != CFF_NO_TIME && time <= frame.best_effort_timestamp
        }
        guard let done, done > 0 else { return }
        kept.removeFirst(done)
        keptSize = kept.reduce(0) { $0 + $1.byteCount }
        cameOut = 1
    }

    /// Whether packets are later than the last frame that came out.
    private var isMissingSome: Bool {
        kept.contains { packet in
            guard let lastTime else { return true }
            let time = packet.object.pointer.pointee.pts
            return time != CFF_NO_TIME && time > lastTime
        }
    }

    private func fallBack(_ error: CastError) throws(CastError) {
        chip = nil
        noteFailure(error)
        let processor = try makeProcessor()
        processor.skipsNonReferenceFrames = skipsNonReferenceFrames
        self.processor = processor
        again = kept[...].map { $0 }[...]
        if isDraining { again.append(nil) }
        leftOut = (lastTime, lastTime == nil ? cameOut : 0)
        kept = []
    }

    /// Whether a frame of those that are decoded again has come out before.
    private func isLeftOut(_ frame: AVFrame) -> Bool {
        if leftOut.count > 0 {
            leftOut.count -= 1
            return true
        }
        guard let last = leftOut.upTo else { return false }
        if frame.best_effort_timestamp != CFF_NO_TIME, frame.best_effort_timestamp <= last { return true }
        leftOut.upTo = nil
        return false
    }

    private static let silent = CastError(.decodeFailed, "The decoder gives no pictures.")
}
