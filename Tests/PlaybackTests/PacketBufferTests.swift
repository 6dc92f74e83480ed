import Casting
import Testing

@testable import Playback

@Suite struct PacketBufferTests {
    private func buffer(bytes: Int = 1_000_000, seconds: Double = 10) -> PacketBuffer<Int> {
        PacketBuffer(streams: [0, 1], limits: .init(bytes: bytes, seconds: seconds))
    }

    private func fill(
        _ buffer: inout PacketBuffer<Int>, stream: Int, from start: Int = 0, seconds: Int, bytes: Int = 100
    ) {
        for second in start..<start + seconds {
            buffer.push(second, stream: stream, time: Double(second), duration: 1, bytes: bytes)
        }
    }

    @Test func `each stream keeps its order`() {
        var buffer = buffer()
        fill(&buffer, stream: 0, seconds: 3)
        fill(&buffer, stream: 1, from: 7, seconds: 2)
        buffer.push(99, stream: 5, time: 1, duration: 1, bytes: 100)
        #expect([buffer.pop(0), buffer.pop(1), buffer.pop(0), buffer.pop(0), buffer.pop(0)] == [0, 7, 1, 2, nil])
        #expect(buffer.pop(5) == nil)
        #expect(buffer.readUpTo == 3)
        #expect(buffer.othersReadUpTo(0) == 9)
    }

    @Test func `it is full of bytes, and takes more only when emptied a little`() {
        var buffer = buffer(bytes: 1000)
        fill(&buffer, stream: 0, seconds: 9)
        #expect(!buffer.isFull)
        fill(&buffer, stream: 0, from: 9, seconds: 1)
        #expect(buffer.isFull)
        _ = buffer.pop(0)
        #expect(buffer.isFull)
        _ = buffer.pop(0)
        #expect(!buffer.isFull)
    }

    @Test func `it is full of seconds when no stream is poor, or one is rich twice over`() {
        var buffer = buffer()
        fill(&buffer, stream: 0, seconds: 12)
        #expect(!buffer.isFull)
        fill(&buffer, stream: 1, seconds: 1)
        #expect(buffer.isFull)
        var lopsided = self.buffer()
        fill(&lopsided, stream: 0, seconds: 20)
        #expect(lopsided.isFull)
    }

    @Test func `streams to change to are held, from where playback is`() {
        var buffer = PacketBuffer<Int>(
            streams: [0, 1, 2], limits: .init(bytes: 1_000_000, seconds: 10, bytesBehind: 10_000))
        buffer.take(1, of: [1, 2], from: 0)
        for stream in 0...2 { fill(&buffer, stream: stream, seconds: 8) }
        for _ in 0..<6 { _ = (buffer.pop(0), buffer.pop(1)) }
        buffer.take(2, of: [1, 2], from: 4)
        // The one that reaches into 3.9, for a decoder that needs what comes before.
        #expect([buffer.pop(2), buffer.pop(2), buffer.pop(2)] == [3, 4, 5])
        buffer.take(1, of: [1, 2], from: 5)
        #expect([buffer.pop(1), buffer.pop(1), buffer.pop(1)] == [4, 5, 6])
        #expect(buffer.go(to: 2) == 2)
        #expect([buffer.pop(0), buffer.pop(1)] == [2, 1])
    }

    @Test func `streams to change to say nothing of how long playback can go on`() {
        var buffer = PacketBuffer<Int>(streams: [0, 1, 2], limits: .init(bytes: 10_000, seconds: 10))
        buffer.take(1, of: [1, 2], from: 0)
        for stream in 0...1 { fill(&buffer, stream: stream, seconds: 10) }
        #expect(buffer.isFull)
        #expect(buffer.readUpTo == 10)
        fill(&buffer, stream: 2, from: 9, seconds: 1, bytes: 10_000)
        while buffer.pop(1) != nil {}
        while buffer.pop(0) != nil {}
        #expect(buffer.isFull)
        buffer.hold([0, 1])
        #expect(!buffer.isFull)
        #expect(!buffer.holds(2))
    }

    @Test func `what a second takes is measured`() throws {
        var buffer = buffer()
        fill(&buffer, stream: 0, seconds: 4, bytes: 300)
        fill(&buffer, stream: 1, seconds: 4, bytes: 100)
        #expect(abs(try #require(buffer.byteRate) - 400) < 1)
        buffer.removeAll()
        #expect(buffer.byteRate == nil)
        #expect(buffer.isEmpty(0))
    }
}

@Suite struct LandingFilterTests {
    /// Passes pictures of 0.1 s, numbered from 0, with gaps where told.
    private func land(at target: Double, times: [Double], duration: Double = 0.1, finish: Bool = false) -> [Double] {
        var filter = LandingFilter<Double>(target: target, tolerance: 0.002)
        var result = times.flatMap { filter.pass($0, time: $0, duration: duration) }
        if finish { result += filter.finish(isComplete: true) }
        return result
    }

    private let times = (0..<10).map { Double($0) / 10 }

    @Test func `the picture to be seen at the target is the first`() {
        #expect(land(at: 0.55, times: times).first == 0.5)
        #expect(land(at: 0.5, times: times).first == 0.5)
        #expect(land(at: 0.4999, times: times).first == 0.5)
        #expect(land(at: 0, times: times) == times)
    }

    @Test func `a picture that stays until the next one comes is the one`() {
        #expect(land(at: 5, times: [0, 1, 9, 10]) == [1, 9, 10])
    }

    @Test func `past the end it is the last picture`() {
        #expect(land(at: 7, times: times) == [])
        #expect(land(at: 7, times: times, finish: true) == [0.9])
    }

    @Test func `pictures that begin after the target are all shown`() {
        #expect(land(at: 0.5, times: [2, 3]) == [2, 3])
        #expect(land(at: -.infinity, times: [2, 3]) == [2, 3])
    }

    @Test func `only what is well before the target may be decoded carelessly`() {
        var filter = LandingFilter<Int>(target: 10, tolerance: 0.002)
        #expect(filter.isFar(9))
        #expect(!filter.isFar(9.6))
        #expect(!filter.isFar(nil))
        _ = filter.pass(1, time: 10, duration: 0.04)
        #expect(!filter.isFar(1))
    }

    @Test func `a stream that breaks off before the target has no picture for it`() {
        var filter = LandingFilter<Int>(target: 57, tolerance: 0.002)
        #expect(filter.pass(30, time: 30, duration: 0.04).isEmpty)
        #expect(filter.finish(isComplete: false).isEmpty)
    }
}
