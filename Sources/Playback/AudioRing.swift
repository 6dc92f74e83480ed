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
        /// When it was made, as a device of the format's latency would have made it.
        var instant: HostTime
    }

    /// How the samples are laid out; the same as the device's.
    public let format: AudioOutputFormat
    /// How many frames (one sample of each channel) it holds.
    let capacity: Int

    private let samples: Memory<Float>
    // What is written and not yet claimed by the reader. The samples in line are whoever's changes this first: so the
    // writer can also take them back.
    private let line = Atomic<UInt64>(Line().word)
    // Frames ever read. An element between them and those in line is the reader's, any other the writer's.
    private let taken = Atomic<Int>(0)
    // The address of the ring to go on with at the end of this one, which `chain` keeps as long as this one lives.
    private let successor = Atomic<UInt>(0)
    private let chain = Mutex<[AudioRing]>([])
    private let largest = Atomic<Int>(0)
    private let missing = Atomic<Int>(0)
    private let discards = Atomic<Int>(0)
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
        capacity = min(max(1, Int((seconds * Double(format.sampleRate)).rounded(.up))), Line.most)
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
    ///   - instant: the present instant. A device that knows when the first of the samples will be heard gives that, less
    ///     the latency that the format says.
    package func read(into buffer: UnsafeMutableBufferPointer<Float>, at instant: HostTime) {
        let channels = format.channelCount
        let wanted = buffer.count / channels
        var line = Line(word: self.line.load(ordering: .acquiring))
        var count = 0
        while true {
            count = min(wanted, line.waiting)
            var rest = line
            rest.waiting -= count
            let (isDone, present) = self.line.compareExchange(
                expected: line.word, desired: rest.word, ordering: .acquiringAndReleasing)
            if isDone { break }
            line = Line(word: present)
        }
        let start = line.written - line.waiting
        if count > largest.load(ordering: .relaxed) { largest.store(count, ordering: .relaxed) }
        var gain = presentGain.load(ordering: .relaxed)
        let target = wantedGain.load(ordering: .relaxed)
        for frame in 0..<count {
            let source = (start + frame) % capacity * channels
            if gain != target { gain = step(from: gain, to: target) }
            for channel in 0..<channels {
                buffer[frame * channels + channel] = samples.pointer[source + channel] * gain
            }
        }
        // Nothing is to be heard of a change that comes while there is no sound.
        presentGain.store(count == 0 ? target : gain, ordering: .relaxed)
        if count > 0 { note(Reading(before: start, after: start + count, instant: instant)) }
        taken.store(start + count, ordering: .releasing)
        guard count < wanted else { return }
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[(count * channels)...])
        if line.isFinished, let next = UnsafeRawPointer(bitPattern: successor.load(ordering: .acquiring)) {
            let ring = Unmanaged<AudioRing>.fromOpaque(next).takeUnretainedValue()
            if ring.taken.load(ordering: .relaxed) == 0 {
                ring.presentGain.store(count == 0 ? target : gain, ordering: .relaxed)
            }
            ring.read(into: rest, at: instant.advanced(by: Double(count) / Double(format.sampleRate)))
        } else {
            rest.update(repeating: 0)
            missing.add(wanted - count, ordering: .relaxed)
        }
    }

    /// Says that the device, which had stopped, goes on with what it has pulled and not played. For its thread alone.
    ///
    /// - Parameters:
    ///   - count: how many of the frames pulled last it still has.
    ///   - instant: as for `read`, of the first of them.
    package func resume(withUnplayed count: Int, at instant: HostTime) {
        let end = taken.load(ordering: .relaxed)
        let own = min(count, end)
        guard own > 0 else { return }
        // The rest is of the ring before, and is played first.
        let start = instant.advanced(by: Double(count - own) / Double(format.sampleRate))
        note(Reading(before: end - own, after: end, instant: start))
    }

    private func note(_ reading: Reading) {
        version.add(1, ordering: .sequentiallyConsistent)
        before.store(reading.before, ordering: .sequentiallyConsistent)
        after.store(reading.after, ordering: .sequentiallyConsistent)
        instant.store(reading.instant.nanoseconds, ordering: .sequentiallyConsistent)
        version.add(1, ordering: .sequentiallyConsistent)
    }

    /// Whether all has been pulled, and no more is to come.
    package var isOver: Bool {
        let line = Line(word: line.load(ordering: .acquiring))
        return line.isFinished && line.waiting == 0
    }

    /// Whether another ring is read from at the end of this one.
    package var isFollowed: Bool { successor.load(ordering: .acquiring) != 0 }

    /// Whether what is pulled from `ring` comes after what was pulled from this one.
    package func goesOn(in ring: AudioRing) -> Bool {
        self === ring
            || successor.load(ordering: .acquiring) == UInt(bitPattern: Unmanaged.passUnretained(ring).toOpaque())
    }

    /// How often what waited was thrown away: a device that still has samples from before must not play them.
    package var discardCount: Int { discards.load(ordering: .acquiring) }

    // MARK: The player's side

    /// Appends samples, interleaved, as far as there is room.
    /// - Returns: the frames taken.
    package func write(_ source: UnsafeBufferPointer<Float>) -> Int {
        let channels = format.channelCount
        let start = writtenFrames
        let count = min(source.count / channels, room)
        var done = 0
        while done < count {
            let offset = (start + done) % capacity
            let run = min(count - done, capacity - offset)
            let target = samples.pointer + offset * channels
            target.update(from: source.baseAddress! + done * channels, count: run * channels)
            done += run
        }
        change { line in
            line.written += count
            line.waiting += count
        }
        return count
    }

    /// The samples that wait to be pulled, behind the first ones.
    ///
    /// - Parameters:
    ///   - kept: frames to pass over.
    ///   - count: frames wanted at most.
    /// - Returns: the frame they begin with and the samples, interleaved; nil where no more than `kept` wait.
    func waiting(behind kept: Int, count: Int) -> (frame: Int, samples: [Float])? {
        let line = Line(word: line.load(ordering: .acquiring))
        guard line.waiting > kept else { return nil }
        let start = line.written - line.waiting + kept
        let frames = start..<min(line.written, start + count)
        let channels = format.channelCount
        return (
            start,
            frames.flatMap { UnsafeBufferPointer(start: samples.pointer + $0 % capacity * channels, count: channels) }
        )
    }

    /// Takes back the frames from one on, to be written anew, unless the device is about to pull them.
    ///
    /// - Parameter least: frames that must still wait before that one.
    /// - Returns: whether it was in time.
    func takeBack(from frame: Int, leaving least: Int) -> Bool {
        var isInTime = false
        change { line in
            let left = line.waiting - (line.written - frame)
            isInTime = left >= least && left <= line.waiting
            guard isInTime else { return }
            line.written = frame
            line.waiting = left
            line.isFinished = false
        }
        return isInTime
    }

    /// Says that there is no more to come, or that there is after all.
    func setFinished(_ isFinished: Bool) {
        change { $0.isFinished = isFinished }
    }

    /// Names the ring that is read from at the end of this one, in the same pull; nil for none. Of the same format.
    func follow(with ring: AudioRing?) {
        // One that was named before may just be being read: it is kept.
        if let ring { chain.withLock { $0.append(ring) } }
        let address = ring.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
        successor.store(address ?? 0, ordering: .releasing)
    }

    /// Frames that can be written now.
    var room: Int { capacity - (writtenFrames - taken.load(ordering: .acquiring)) }

    /// Frames that wait to be pulled.
    package var waiting: Int { Line(word: line.load(ordering: .acquiring)).waiting }

    /// Frames ever written.
    var writtenFrames: Int { Line(word: line.load(ordering: .acquiring)).written }

    /// The most frames that were pulled at a time.
    var largestPull: Int { largest.load(ordering: .relaxed) }

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
        let before = change { line in
            line.waiting = 0
            line.isFinished = false
        }
        taken.store(before.written, ordering: .releasing)
        discards.add(1, ordering: .releasing)
    }

    /// Changes what is in line, however often the reader comes between.
    /// - Returns: what it was.
    @discardableResult
    private func change(_ body: (inout Line) -> Void) -> Line {
        var old = Line(word: line.load(ordering: .acquiring))
        while true {
            var new = old
            body(&new)
            let (isDone, present) = line.compareExchange(
                expected: old.word, desired: new.word, ordering: .acquiringAndReleasing)
            if isDone { return old }
            old = Line(word: present)
        }
    }
}

/// What is in line in a ring, in one word: so that both sides change all of it at once.
private struct Line {
    /// Frames ever written: 39 bits, enough for a month at 192 kHz.
    var written = 0
    /// Frames in line: 24 bits.
    var waiting = 0
    /// Whether no more are to come.
    var isFinished = false

    static let most = 0xff_ffff

    init() {}

    init(word: UInt64) {
        written = Int(word >> 25)
        isFinished = word >> 24 & 1 == 1
        waiting = Int(word & UInt64(Self.most))
    }

    var word: UInt64 { UInt64(written) << 25 | (isFinished ? 1 << 24 : 0) | UInt64(waiting) }
}

/// The gain of the next frame on the way to `target`: full scale takes 10 ms at 48 kHz, too slow to click.
private func step(from gain: Float, to target: Float) -> Float {
    let most: Float = 1 / 480
    return gain < target ? min(target, gain + most) : max(target, gain - most)
}
