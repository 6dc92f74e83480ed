import Casting
import Testing

@testable import Playback

@Suite struct AudioRingTests {
    private let format = AudioOutputFormat(sampleRate: 1000, channelCount: 2, latency: 0)

    private func read(_ ring: AudioRing, frames: Int, at seconds: Double = 1) -> [Float] {
        var buffer = [Float](repeating: -1, count: frames * 2)
        buffer.withUnsafeMutableBufferPointer { ring.read(into: $0, at: HostTime(seconds: seconds)) }
        return buffer
    }

    private func write(_ ring: AudioRing, _ samples: [Float]) -> Int {
        samples.withUnsafeBufferPointer { ring.write($0) }
    }

    @Test func `samples come out in order, also where the ring wraps`() {
        let ring = AudioRing(format: format, seconds: 0.005)
        var next: Float = 0
        var expected: Float = 0
        for _ in 0..<20 {
            let block = (0..<6).map { next + Float($0) }
            #expect(write(ring, block) == 3)
            next += 6
            for sample in read(ring, frames: 3) {
                #expect(sample == expected)
                expected += 1
            }
        }
    }

    @Test func `a full ring takes no more than fits`() {
        let ring = AudioRing(format: format, seconds: 0.004)
        #expect(write(ring, [Float](repeating: 1, count: 20)) == 4)
        #expect(ring.room == 0)
        #expect(ring.waiting == 4)
    }

    @Test func `an empty ring gives silence and counts it, and the reading stays`() {
        let ring = AudioRing(format: format, seconds: 0.004)
        #expect(ring.reading == nil)
        _ = write(ring, [1, 1, 1, 1])
        #expect(read(ring, frames: 3, at: 5) == [1, 1, 1, 1, 0, 0])
        #expect(read(ring, frames: 2, at: 6) == [0, 0, 0, 0])
        #expect(ring.missingFrames == 3)
        #expect(ring.reading == AudioRing.Reading(before: 0, after: 2, instant: HostTime(seconds: 5)))
    }

    @Test func `a device that goes on says what it still has, part of which may be of the ring before`() {
        let (first, second) = (
            AudioRing(format: format, seconds: 0.01), AudioRing(format: format, seconds: 0.01)
        )
        _ = write(first, [Float](repeating: 1, count: 12))
        _ = write(second, [Float](repeating: 2, count: 12))
        first.setFinished(true)
        first.follow(with: second)
        #expect(first.isFollowed && first.goesOn(in: second) && first.goesOn(in: first) && !second.goesOn(in: first))
        _ = read(first, frames: 5, at: 1)
        first.resume(withUnplayed: 3, at: HostTime(seconds: 9))
        #expect(first.reading == AudioRing.Reading(before: 2, after: 5, instant: HostTime(seconds: 9)))
        _ = read(first, frames: 5, at: 10)
        second.resume(withUnplayed: 6, at: HostTime(seconds: 20))
        #expect(second.reading == AudioRing.Reading(before: 0, after: 4, instant: HostTime(seconds: 20.002)))
        #expect(second.discardCount == 0)
        second.discard()
        #expect(second.discardCount == 1)
    }

    @Test func `the gain glides, never jumps`() {
        let ring = AudioRing(format: format, seconds: 1)
        _ = write(ring, [Float](repeating: 1, count: 2000))
        #expect(read(ring, frames: 10).allSatisfy { $0 == 1 })
        ring.setGain(0)
        let faded = read(ring, frames: 600)
        for index in stride(from: 2, to: faded.count, by: 2) {
            #expect(abs(faded[index] - faded[index - 2]) < 0.01)
            #expect(faded[index] == faded[index + 1])
        }
        #expect(faded.last == 0)
    }

    @Test func `what was thrown away is never heard`() {
        let ring = AudioRing(format: format, seconds: 0.01)
        _ = write(ring, [1, 1, 1, 1])
        ring.discard()
        _ = write(ring, [2, 2])
        #expect(read(ring, frames: 2) == [2, 2, 0, 0])
        #expect(ring.writtenFrames == 3)
    }

    @Test func `what waits can be taken back and written anew, but for what is about to be pulled`() throws {
        let ring = AudioRing(format: format, seconds: 0.01)
        _ = write(ring, (0..<8).flatMap { [Float($0), Float($0)] })
        #expect(read(ring, frames: 2) == [0, 0, 1, 1])
        let old = try #require(ring.waiting(behind: 3, count: 2))
        #expect(old.frame == 5)
        #expect(old.samples == [5, 5, 6, 6])
        #expect(ring.waiting(behind: 6, count: 2) == nil)
        #expect(!ring.takeBack(from: 5, leaving: 4))
        #expect(ring.waiting == 6)
        #expect(ring.takeBack(from: 5, leaving: 3))
        #expect(ring.writtenFrames == 5)
        _ = write(ring, [9, 9])
        #expect(read(ring, frames: 4) == [2, 2, 3, 3, 4, 4, 9, 9])
        #expect(!ring.takeBack(from: 5, leaving: 0))
    }

    @Test func `at the end of one ring the next is read in the same pull, and knows when`() {
        let (ring, next) = (AudioRing(format: format, seconds: 0.01), AudioRing(format: format, seconds: 0.01))
        _ = write(ring, [1, 1, 2, 2])
        _ = write(next, [3, 3, 4, 4])
        ring.follow(with: next)
        // Running dry is not the end.
        #expect(read(ring, frames: 3, at: 1) == [1, 1, 2, 2, 0, 0])
        #expect(ring.missingFrames == 1)
        #expect(next.reading == nil)
        _ = write(ring, [5, 5])
        ring.setFinished(true)
        #expect(!ring.isOver)
        #expect(read(ring, frames: 2, at: 2) == [5, 5, 3, 3])
        #expect(ring.isOver)
        #expect(next.reading == AudioRing.Reading(before: 0, after: 1, instant: HostTime(seconds: 2.001)))
        #expect(read(ring, frames: 2, at: 3) == [4, 4, 0, 0])
        #expect(next.missingFrames == 1)
        #expect(ring.missingFrames == 1)
    }

    @Test func `a next ring that is no longer wanted is not read`() {
        let (ring, next) = (AudioRing(format: format, seconds: 0.01), AudioRing(format: format, seconds: 0.01))
        _ = write(next, [3, 3])
        ring.follow(with: next)
        ring.setFinished(true)
        ring.follow(with: nil)
        #expect(read(ring, frames: 1) == [0, 0])
        #expect(next.waiting == 1)
    }

    @Test func `the gain goes over to the next ring as it is, also in mid-glide`() {
        let (ring, next) = (AudioRing(format: format, seconds: 1), AudioRing(format: format, seconds: 1, gain: 0.2))
        _ = write(ring, [Float](repeating: 1, count: 20))
        _ = write(next, [Float](repeating: 1, count: 1000))
        ring.follow(with: next)
        ring.setFinished(true)
        ring.setGain(0.5)
        next.setGain(0.5)
        let heard = read(ring, frames: 400)
        for index in stride(from: 2, to: heard.count, by: 2) { #expect(abs(heard[index] - heard[index - 2]) < 0.01) }
        #expect(heard.last == 0.5)
    }

    @Test func `a writer and a reader on two threads lose nothing`() async {
        let ring = AudioRing(format: format, seconds: 0.05)
        let total = 20_000
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                var next = 0
                while next < total {
                    let block = (next..<min(total, next + 37)).flatMap { [Float($0), Float($0)] }
                    let taken = block.withUnsafeBufferPointer { ring.write($0) }
                    next += taken
                    if taken == 0 { await Task.yield() }
                }
                return true
            }
            group.addTask {
                var expected: Float = 0
                var right = true
                while expected < Float(total) {
                    let count = min(29, ring.waiting)
                    guard count > 0 else {
                        await Task.yield()
                        continue
                    }
                    for sample in read(ring, frames: count).enumerated() where sample.offset % 2 == 0 {
                        right = right && sample.element == expected
                        expected += 1
                    }
                }
                return right
            }
            for await right in group { #expect(right) }
        }
    }
}
