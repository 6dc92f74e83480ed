import Casting
import Testing

@testable import Playback

/// The packet buffer as what one can go back to, and on within.
@Suite struct HeldPacketsTests {
    /// A picture each 0.1 s with a key frame each second, sound each 0.05 s; all of them numbered by their times in ms.
    private func buffer(
        seconds: Int = 10, from start: Int = 0, behind: Int = 1_000_000, isFromStart: Bool = true
    ) -> PacketBuffer<Int> {
        var buffer = PacketBuffer<Int>(
            streams: [0, 1], limits: .init(bytes: 1_000_000, seconds: 100, bytesBehind: behind),
            isFromStart: isFromStart)
        for time in stride(from: start * 1000, to: (start + seconds) * 1000, by: 50) {
            let seconds = Double(time) / 1000
            if time % 100 == 0 {
                buffer.push(time, stream: 0, time: seconds, duration: 0.1, bytes: 100, isKey: time % 1000 == 0)
            }
            buffer.push(time, stream: 1, time: seconds, duration: 0.05, bytes: 10)
        }
        return buffer
    }

    private func pop(_ buffer: inout PacketBuffer<Int>, until time: Int) {
        while let next = buffer.pop(0), next < time {}
        while let next = buffer.pop(1), next < time {}
    }

    @Test(arguments: [(0.0, 0, 0), (0.5, 0, 400), (3.0, 3000, 2900), (2.95, 2000, 2850), (9.99, 9000, 9850)])
    func `it goes back and on to the key frame before, sound a little before the target`(
        target: Double, picture: Int, sound: Int
    ) {
        var buffer = buffer()
        pop(&buffer, until: 5000)
        #expect(buffer.go(to: target) == target)
        #expect(buffer.pop(0) == picture)
        #expect(buffer.pop(1) == sound)
        #expect(buffer.pop(0) == picture + 100)
    }

    @Test func `what is read after going back follows on without a gap or a double`() {
        var buffer = buffer()
        pop(&buffer, until: 8000)
        #expect(buffer.go(to: 9) != nil)
        buffer.push(10_000, stream: 0, time: 10, duration: 0.1, bytes: 100)
        var seen: [Int] = []
        while let next = buffer.pop(0) { seen.append(next) }
        #expect(seen == Array(stride(from: 9000, through: 10_000, by: 100)))
    }

    @Test func `it does not go where nothing is held`() {
        var buffer = buffer(seconds: 5, from: 20, isFromStart: false)
        #expect(buffer.go(to: 19.9) == nil)
        #expect(buffer.go(to: 25.3) == nil)
        #expect(buffer.go(to: 20) == 20)
        buffer.end = .complete
        #expect(buffer.go(to: 25.3) == 25.3)
        buffer.end = .broken(CastError(.networkConnectionLost, ""))
        #expect(buffer.go(to: 22) == nil)
    }

    @Test func `with tolerance a key frame within it is the target`() {
        var buffer = buffer()
        #expect(buffer.go(to: 3.4, aim: SeekAim(toleranceBefore: 0.5)) == 3)
        #expect(buffer.pop(0) == 3000)
        #expect(buffer.go(to: 3.6, aim: SeekAim(toleranceBefore: 0.5, toleranceAfter: 0.5)) == 4)
        #expect(buffer.go(to: 3.4, aim: SeekAim(toleranceBefore: 0.1, toleranceAfter: 0.1)) == 3.4)
        #expect(buffer.pop(0) == 3000)
        #expect(buffer.go(to: 3, aim: SeekAim(kind: .before)) == 3)
        #expect(buffer.pop(0) == 2000)
    }

    @Test func `what lies behind is bounded by bytes, and the range says what is left`() throws {
        var buffer = buffer(behind: 2400)
        #expect(buffer.heldRange == TimeRange(start: 0, end: 10))
        for time in stride(from: 0, to: 8000, by: 100) {
            #expect(buffer.pop(0) == time)
            #expect(buffer.pop(1) == time)
            #expect(buffer.pop(1) == time + 50)
            #expect(buffer.bytes <= 12_000 - time / 100 * 120 + 2400)
        }
        // 20 pictures with their sound are held, from 6 s on.
        let range = try #require(buffer.heldRange)
        #expect(range.start > 5.9 && range.start <= 7)
        #expect(range.end == 10)
        #expect(buffer.go(to: range.start - 0.5) == nil)
        #expect(buffer.go(to: range.start) != nil)
        #expect(buffer.pop(0) == Int(range.start * 1000))
    }

    @Test func `the picture to be seen is known by the packets, once enough are there`() {
        var buffer = PacketBuffer<Int>(streams: [0], limits: .init(bytes: 1000, seconds: 100))
        // In decoding order: a picture that others refer to comes before those seen ahead of it.
        for time in [0, 0.3, 0.1, 0.2, 0.6, 0.4, 0.5] {
            buffer.push(0, stream: 0, time: time, duration: nil, bytes: 1)
        }
        #expect(buffer.timeSeen(0, at: 0.45) == nil)
        buffer.end = .complete
        #expect(buffer.timeSeen(0, at: 0.45) == 0.4)
        #expect(buffer.timeSeen(0, at: 0.6) == 0.6)
    }
}

@Suite struct SeekAimTests {
    private func land(_ kind: SeekAim.Kind, at target: Double, finish: Bool = false) -> [Double] {
        var filter = LandingFilter<Double>(target: target, tolerance: 0.002, kind: kind)
        let times = (0..<5).map { Double($0) / 10 }
        var result = times.flatMap { filter.pass($0, time: $0, duration: 0.1) }
        if finish { result += filter.finish(isComplete: true) }
        return result
    }

    @Test func `the picture after is the next one, or the last where there is none`() {
        #expect(land(.after, at: 0.2) == [0.3, 0.4])
        #expect(land(.after, at: 0.4) == [])
        #expect(land(.after, at: 0.4, finish: true) == [0.4])
    }

    @Test func `the picture before is the one that came just before, or the first where there is none`() {
        #expect(land(.before, at: 0.3) == [0.2, 0.3, 0.4])
        #expect(land(.before, at: 0) == [0, 0.1, 0.2, 0.3, 0.4])
    }

    @Test func `pictures before the one to be seen are not worth decoding`() {
        let filter = LandingFilter<Int>(target: 1, tolerance: 0.002)
        #expect(filter.isFar(0.9, seen: 0.96))
        #expect(!filter.isFar(0.96, seen: 0.96))
        #expect(!filter.isFar(0.9))
        var landed = LandingFilter<Int>(target: 1, tolerance: 0.002)
        landed.giveUp()
        #expect(landed.pass(1, time: 0.1, duration: 0.1) == [1])
    }
}
