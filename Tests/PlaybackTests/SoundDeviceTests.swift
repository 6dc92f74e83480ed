import Casting
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// A device that can be lost, and that is there or not as the test likes.
private final class FickleOutput: AudioOutput {
    struct State {
        var isThere = true
        var isOpen = false
        var pullsFrom: AudioRing?
        var attempts: [HostTime] = []
        var whenLost: @Sendable () -> Void = {}
        /// Lost again as soon as it is open.
        var isBroken = false
    }

    let state = Mutex(State())
    static let format = AudioOutputFormat(sampleRate: 48_000, channelCount: 2, latency: 0.01)

    func openedFormat() throws(CastError) -> AudioOutputFormat {
        guard
            state.withLock({ state in
                state.isOpen = state.isThere
                return state.isOpen
            })
        else { throw CastError(.outputUnavailable, "") }
        return Self.format
    }

    func reopen(as format: AudioOutputFormat) throws(CastError) {
        let isBroken = state.withLock { state in
            state.attempts.append(.now)
            return state.isBroken
        }
        _ = try openedFormat()
        if isBroken { lose() }
    }

    func start(_ ring: AudioRing) throws(CastError) {
        guard
            state.withLock({ state in
                if state.isOpen { state.pullsFrom = ring }
                return state.isOpen
            })
        else { throw CastError(.outputUnavailable, "") }
    }

    func pause() { state.withLock { $0.pullsFrom = nil } }

    func close() {
        state.withLock { state in
            state.pullsFrom = nil
            state.isOpen = false
        }
    }

    func setLossHandler(_ handler: @escaping @Sendable () -> Void) { state.withLock { $0.whenLost = handler } }

    func lose() { state.withLock { $0.whenLost }() }

    /// Pulls like a device's thread.
    func pull(_ frames: Int) {
        guard let ring = state.withLock({ $0.pullsFrom }) else { return }
        var buffer = [Float](repeating: 0, count: frames * 2)
        buffer.withUnsafeMutableBufferPointer { ring.read(into: $0, at: .now) }
    }
}

@Suite struct SoundDeviceTests {
    private func fullRing() -> AudioRing {
        let ring = AudioRing(format: FickleOutput.format, seconds: 20)
        _ = [Float](repeating: 0.1, count: 20 * 96_000).withUnsafeBufferPointer { ring.write($0) }
        return ring
    }

    @Test func `a lost device gives way to silence that goes on from there, and takes over again`() async throws {
        let output = FickleOutput()
        let device = SoundDevice(output)
        #expect(device.openedFormat() == FickleOutput.format)
        let ring = fullRing()
        device.start(ring)
        output.pull(4800)
        output.state.withLock { $0.isThere = false }
        output.lose()
        try #require(await eventually { (ring.reading?.before ?? 0) > 4800 })
        #expect(!output.state.withLock { $0.isOpen })
        // Nothing was left out and nothing pulled twice.
        let reading = try #require(ring.reading)
        #expect((reading.after - 4800) % 960 == 0)
        output.state.withLock { $0.isThere = true }
        try #require(await eventually(within: 20) { output.state.withLock { $0.pullsFrom } === ring })
        let before = ring.writtenFrames - ring.waiting
        output.pull(480)
        #expect(ring.reading?.before == before)
        #expect(ring.reading?.after == before + 480)
        device.close()
        #expect(!output.state.withLock { $0.isOpen })
    }

    @Test func `while it is away the next item plays in the same format, and pauses work`() async throws {
        let output = FickleOutput()
        let device = SoundDevice(output)
        _ = device.openedFormat()
        output.state.withLock { $0.isThere = false }
        output.lose()
        #expect(device.openedFormat() == FickleOutput.format)
        let ring = fullRing()
        device.start(ring)
        try #require(await eventually { ring.reading != nil })
        device.pause()
        let place = ring.waiting
        device.start(ring)
        try #require(await eventually { ring.waiting < place })
        device.close()
    }

    @Test func `a device that is lost at once, again and again, is tried for ever less often`() async throws {
        let output = FickleOutput()
        let device = SoundDevice(output)
        _ = device.openedFormat()
        device.start(fullRing())
        output.state.withLock { $0.isBroken = true }
        output.lose()
        try #require(await eventually(within: 60) { output.state.withLock { $0.attempts.count } >= 3 })
        let attempts = output.state.withLock { $0.attempts }
        #expect(attempts[1].seconds(since: attempts[0]) >= 0.99)
        #expect(attempts[2].seconds(since: attempts[1]) >= 1.99)
        device.close()
        let count = output.state.withLock { $0.attempts.count }
        #expect(await eventually(within: 60) { !output.state.withLock { $0.isOpen } })
        #expect(output.state.withLock { $0.attempts.count } <= count + 1)
    }

    @Test func `a device that is not there at first is taken once it comes`() async throws {
        let output = FickleOutput()
        output.state.withLock { $0.isThere = false }
        let device = SoundDevice(output)
        #expect(device.openedFormat().sampleRate == 48_000)
        let ring = fullRing()
        device.start(ring)
        try #require(await eventually { ring.reading != nil })
        output.state.withLock { $0.isThere = true }
        try #require(await eventually(within: 20) { output.state.withLock { $0.pullsFrom } === ring })
        device.close()
    }

    @Test func `the waits grow, and shrink again only for a device that has worked for a while`() {
        var backOff = DeviceBackOff()
        #expect((0..<6).map { _ in backOff.next() } == [0.5, 1, 2, 5, 5, 5])
        backOff.lost(after: 3)
        #expect(backOff.next() == 5)
        backOff.lost(after: 60)
        #expect(backOff.next() == 0.5)
    }
}
