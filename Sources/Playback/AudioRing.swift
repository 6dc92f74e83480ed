package import Casting
internal import Synchronization

/// Samples on their way from the player to the device: a ring with one writer and one reader that needs no lock.
///
/// The player's thread writes; the device's thread calls `read`, which allocates nothing and waits for nothing. What was
/// consumed, and when, is the player's clock.
public final class AudioRing: Sendable {
    /// What the device has pulled at its latest call that got any samples.
    struct Reading: Equatable {
        /// Frames pulled before that call.
        var before: Int
        /// Frames pulled once it was done.
        var after: Int
        /// When it was made.
        var instant: HostTime
    }

    /// How the samples are laid out; the same as the device's.
    public let format: AudioOutputFormat
    /// How many frames (one sample of each channel) it holds.
    let capacity: Int

    private let samples: Memory<Float>
    // Frames ever written and ever read. Each is stored by one side only; an element between them is the reader's, any
    // other the writer's.
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)
    private let missing = Atomic<Int>(0)
    private let wantedGain: Atomic<Float>
    // Touched by the reader alone.
    private let presentGain: Atomic<Float>
    // The latest reading. Odd while the reader changes it, so that another thread can tell and look again.
    private let version = Atomic<Int>(0)
    private let before = Atomic<Int>(0)
    private let after = Atomic<Int>(0)
    private let instant = Atomic<Int64>(0)

    /// An empty ring.
    /// - Parameters:
    ///   - seconds: how much it holds at least.
    ///   - gain: what samples are multiplied by, from the first on.
    public init(format: AudioOutputFormat, seconds: Double, gain: Float = 1) {
        self.format = format
        capacity = max(1, Int((seconds * Double(format.sampleRate)).rounded(.up)))
        samples = Memory(repeating: 0, count: capacity * format.channelCount)
        wantedGain = Atomic(gain)
        presentGain = Atomic(gain)
    }

    // MARK: The device's side

    /// Takes the next samples for the device, with the gain applied, and silence where there are none.
    ///
    /// For the device's thread alone: neither allocates nor waits.
    /// - Parameters:
    ///   - buffer: what to fill, interleaved; whole frames.
    ///   - instant: the present instant.
    package func read(into buffer: UnsafeMutableBufferPointer<Float>, at instant: HostTime) {
        let channels = format.channelCount
        let wanted = buffer.count / channels
        let start = taken.load(ordering: .relaxed)
        let count = min(wanted, written.load(ordering: .acquiring) - start)
        var gain = presentGain.load(ordering: .relaxed)
        let target = wantedGain.load(ordering: .relaxed)
        for frame in 0..<count {
            let source = (start + frame) % capacity * channels
            if gain != target { gain = step(from: gain, to: target) }
            for channel in 0..<channels {
                buffer[frame * channels + channel] = samples.pointer[source + channel] * gain
            }
        }
        for index in count * channels..<buffer.count { buffer[index] = 0 }
        // Nothing is to be heard of a change that comes while there is no sound.
        presentGain.store(count == 0 ? target : gain, ordering: .relaxed)
        if count > 0 {
            version.add(1, ordering: .sequentiallyConsistent)
            before.store(start, ordering: .sequentiallyConsistent)
            after.store(start + count, ordering: .sequentiallyConsistent)
            self.instant.store(instant.nanoseconds, ordering: .sequentiallyConsistent)
            version.add(1, ordering: .sequentiallyConsistent)
        }
        if count < wanted { missing.add(wanted - count, ordering: .relaxed) }
        taken.store(start + count, ordering: .releasing)
    }

    // MARK: The player's side

    /// Appends samples, interleaved, as far as there is room.
    /// - Returns: the frames taken.
    package func write(_ source: UnsafeBufferPointer<Float>) -> Int {
        let channels = format.channelCount
        let start = written.load(ordering: .relaxed)
        let count = min(source.count / channels, room)
        var done = 0
        while done < count {
            let offset = (start + done) % capacity
            let run = min(count - done, capacity - offset)
            let target = samples.pointer + offset * channels
            target.update(from: source.baseAddress! + done * channels, count: run * channels)
            done += run
        }
        written.store(start + count, ordering: .releasing)
        return count
    }

    /// Frames that can be written now.
    var room: Int { capacity - waiting }

    /// Frames that wait to be pulled.
    var waiting: Int { written.load(ordering: .acquiring) - taken.load(ordering: .acquiring) }

    /// Frames ever written.
    var writtenFrames: Int { written.load(ordering: .acquiring) }

    /// Frames of silence the device got because there was nothing else.
    var missingFrames: Int { missing.load(ordering: .relaxed) }

    /// What the device pulled last; nil until it has pulled anything.
    var reading: Reading? {
        while true {
            let version = version.load(ordering: .sequentiallyConsistent)
            let reading = Reading(
                before: before.load(ordering: .sequentiallyConsistent),
                after: after.load(ordering: .sequentiallyConsistent),
                instant: HostTime(nanoseconds: instant.load(ordering: .sequentiallyConsistent)))
            guard version % 2 == 0, version == self.version.load(ordering: .sequentiallyConsistent) else { continue }
            return version == 0 ? nil : reading
        }
    }

    /// Multiplies samples by `gain` from now on, gliding there within hundredths of a second.
    func setGain(_ gain: Float) {
        wantedGain.store(gain, ordering: .relaxed)
    }

    /// Throws away what waits. Only while nobody pulls.
    func discard() {
        taken.store(written.load(ordering: .relaxed), ordering: .releasing)
    }
}

/// The gain of the next frame on the way to `target`: full scale takes 10 ms at 48 kHz, too slow to click.
private func step(from gain: Float, to target: Float) -> Float {
    let most: Float = 1 / 480
    return gain < target ? min(target, gain + most) : max(target, gain - most)
}
