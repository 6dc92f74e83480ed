import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

/// The player over loopback HTTP, with a screen and a loudspeaker that take notes.
@Suite(.serialized) struct PlayerTests {
    @Test func `a film plays from its first picture to its last, in order, then the player is idle`() async throws {
        let server = try ClipServer(path: Clips.film(seconds: 2).path())
        let rig = Rig()
        try await rig.load(server.url)
        #expect(rig.player.state.item?.status == .readyToPlay)
        #expect(rig.player.state.readyForDisplay)
        #expect(rig.screen.shown.first?.number == 0)
        try await rig.idle()
        let numbers = rig.screen.shown.compactMap(\.number)
        #expect(numbers == numbers.sorted())
        #expect(numbers.first == 0)
        #expect(numbers.last == 49)
        #expect(numbers.count >= 20)
        #expect(await eventually { rig.screen.isClear })
        #expect(rig.player.state.rate == 0)
        #expect(await eventually { rig.states.last?.item == nil })
        #expect(rig.ended == ["item-1"])
    }

    @Test func `the tone is where it is in the film, to the sample's neighbourhood`() async throws {
        let server = try ClipServer(path: Clips.film(seconds: 2).path())
        let rig = Rig()
        try await rig.load(server.url)
        try await rig.idle()
        let tones = rig.speaker.tones
        try #require(tones.count == 2)
        #expect(abs(tones[1].start - tones[0].start - 1) < 0.005)
        #expect(abs(tones[0].end - tones[0].start - 0.1) < 0.005)
    }

    @Test(arguments: [0.0, 0.04, 1.0, 1.99, 2.0, 2.5, 3.96])
    func `it begins at the picture of the start position`(position: Double) async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        try await rig.load(server.url, at: position, paused: true)
        #expect(rig.screen.shown.map(\.number) == [Int(position * 25 + 0.001)])
        #expect(abs(rig.player.state.timeline.position - position) < 0.04)
        #expect(rig.player.state.timeControlStatus == .paused)
    }

    @Test func `a seek is exact, while paused and while playing`() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        try await rig.load(server.url, paused: true)
        for position in [3.0, 0.52, 2.0, 1.96] {
            let outcome = try await rig.seek(position)
            #expect(outcome.finished)
            #expect(abs(outcome.position - position) < 0.001)
            #expect(rig.screen.current?.number == Int(position * 25 + 0.001))
            #expect(rig.player.state.timeControlStatus == .paused)
        }
        _ = try await rig.player.perform(.play)
        try await rig.playing()
        let before = rig.screen.shown.count
        #expect(try await rig.seek(3).finished)
        let landed = try #require(rig.screen.shown.dropFirst(before).first { ($0.number ?? 0) >= 75 })
        #expect(landed.number == 75)
        try await rig.playing()
        #expect(
            await eventually {
                rig.events.contains { if case .timeJumped(let jump) = $0 { abs(jump.to - 3) < 0.05 } else { false } }
            })
    }

    @Test func `after a seek sound begins at the target, to the sample`() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        // Half of the tone is over at 2.05.
        try await rig.load(server.url, at: 2.05)
        try #require(await eventually { rig.speaker.tones.count >= 2 })
        let tones = rig.speaker.tones
        #expect(abs(tones[0].end - tones[0].start - 0.05) < 0.006)
        #expect(abs(tones[1].start - tones[0].end - 0.9) < 0.005)
    }

    @Test func `of a burst of seeks the last one counts`() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        try await rig.load(server.url, paused: true)
        let outcomes = try await withThrowingTaskGroup(of: SeekOutcome.self) { group in
            var all: [SeekOutcome] = []
            for step in 1...20 {
                group.addTask { try await rig.seek(Double(step) * 0.16) }
            }
            for try await outcome in group { all.append(outcome) }
            return all
        }
        let superseded = outcomes.filter { !$0.finished }
        #expect(superseded.allSatisfy { $0.reason == .superseded })
        #expect(outcomes.count { $0.finished } >= 1)
        #expect(try await rig.seek(2.2).finished)
        #expect(rig.screen.current?.number == 55)
    }

    @Test func `a seek just past the end shows the last picture, further out it goes nowhere`() async throws {
        let server = try ClipServer(path: Clips.silent.path())
        let rig = Rig()
        try await rig.load(server.url, paused: true)
        #expect(try await rig.seek(4.5).finished)
        #expect(rig.screen.current?.number == 99)
        let far = try await rig.seek(60)
        #expect(!far.finished)
        #expect(far.reason == .outOfRange)
        #expect(far.seekableTimeRanges?.first?.start == 0)
        #expect(rig.screen.current?.number == 99)
    }

    @Test func `skips add up`() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        try await rig.load(server.url, paused: true)
        async let first = rig.player.perform(.skip(by: 1))
        async let second = rig.player.perform(.skip(by: 1))
        _ = try await (first, second)
        #expect(rig.screen.current?.number == 50)
        _ = try await rig.player.perform(.skip(by: -10))
        #expect(rig.screen.current?.number == 0)
    }

    @Test func `paused, the position is the time of the picture that is up, and no sound is lost`() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        try await rig.load(server.url)
        try await rig.playing()
        for _ in 0..<3 {
            try #require(await eventually { rig.player.state.timeControlStatus == .playing })
            let shown = rig.screen.shown.count
            try #require(await eventually { rig.screen.shown.count > shown + 3 })
            _ = try await rig.player.perform(.pause)
            let state = rig.player.state
            #expect(state.timeControlStatus == .paused)
            #expect(state.timeline.effectiveRate == 0)
            #expect(state.timeline.position == rig.screen.current?.time)
            _ = try await rig.player.perform(.play)
        }
        try #require(await eventually { rig.speaker.tones.count >= 3 })
        // What was pulled is the film without a gap but the device's own silence while it stood.
        let tones = rig.speaker.tones
        #expect(abs(tones[2].start - tones[1].start - 1) < 0.03)
    }

    @Test func `picture and sound keep together`() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig(readsNumbers: false)
        try await rig.load(server.url)
        try #require(await eventually { rig.player.state.statistics.displayedFrames >= 40 })
        let offset = try #require(rig.player.state.statistics.audioVideoOffset)
        #expect(abs(offset) < 0.1)
    }

    @Test func `at twice the rate it takes half as long, and a change needs no seek`() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig(readsNumbers: false)
        try await rig.load(server.url, rate: 2)
        try await rig.playing()
        let start = HostTime.now
        try #require(await eventually { rig.player.state.timeline.position > 2 })
        #expect(HostTime.now.seconds(since: start) < 1.6)
        #expect(rig.player.state.timeline.effectiveRate == 2)
        _ = try await rig.player.perform(.setRate(1))
        try #require(await eventually { rig.player.state.timeline.effectiveRate == 1 })
        #expect(!rig.events.contains { if case .timeJumped = $0 { true } else { false } })
        try await rig.idle()
    }

    @Test func `a song is ready with its sound, plays by itself and ends once`() async throws {
        let server = try ClipServer(path: Clips.song(seconds: 1.5).path())
        let rig = Rig()
        try await rig.load(server.url)
        #expect(!rig.player.state.readyForDisplay)
        try await rig.playing()
        try await rig.idle()
        #expect(rig.speaker.tones.count == 2)
        #expect(await eventually { rig.ended == ["item-1"] })
        #expect(rig.screen.shown.isEmpty)
    }

    @Test func `a film without sound runs by the machine's clock`() async throws {
        let server = try ClipServer(path: Clips.silent.path())
        let rig = Rig()
        try await rig.load(server.url, at: 2.5)
        try await rig.idle()
        #expect(rig.screen.shown.first?.number == 62)
        #expect(rig.screen.shown.last?.number == 99)
        #expect(rig.speaker.pulled.isEmpty)
    }

    @Test func `an item is followed by the next, the rate staying, with its picture up until then`() async throws {
        let server = try ClipServer(path: Clips.film(seconds: 1).path())
        let rig = Rig()
        try await rig.load(server.url)
        _ = try await rig.player.perform(.setRate(1.5))
        var second = MediaItem(url: server.url)
        second.id = "second"
        _ = try await rig.player.perform(.enqueue([second], before: nil))
        #expect(rig.player.queue.count == 2)
        try #require(await eventually { rig.player.state.item?.id == "second" })
        #expect(!rig.screen.isClear)
        #expect(rig.player.state.rate == 1.5)
        try await rig.idle()
        #expect(await eventually { rig.ended == ["item-1", "second"] })
    }

    @Test func `next, previous and the end of the queue`() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        await #expect(throws: CastError.self) { try await rig.player.perform(.next) }
        try await rig.load(server.url, at: 1, paused: true)
        _ = try await rig.player.perform(.enqueue([MediaItem(url: server.url, startPosition: 2)], before: nil))
        _ = try await rig.player.perform(.next)
        #expect(rig.screen.current?.number == 50)
        #expect(rig.player.state.timeControlStatus == .paused)
        _ = try await rig.player.perform(.previous)
        #expect(rig.screen.current?.number == 25)
        _ = try await rig.player.perform(.previous)
        #expect(rig.screen.current?.number == 0)
        _ = try await rig.player.perform(.next)
        _ = try await rig.player.perform(.next)
        #expect(rig.player.state.item == nil)
        #expect(await eventually { rig.screen.isClear })
    }

    @Test func `volume and mute are heard`() async throws {
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        _ = try await rig.player.perform(.setVolume(.set(0.5)))
        try await rig.load(server.url, rate: 2)
        try #require(await eventually { rig.speaker.pulled.count > 9600 })
        let loudest = rig.speaker.pulled.map(abs).max() ?? 0
        // The tone is at half of full scale, and half the volume sounds half as loud.
        #expect(loudest > 0.12 && loudest < 0.2)
        _ = try await rig.player.perform(.setVolume(.adjust(0.3)))
        #expect(abs(rig.player.state.volume - 0.8) < 1e-9)
        _ = try await rig.player.perform(.setVolume(.toggleMute))
        #expect(rig.player.state.muted)
        let count = rig.speaker.pulled.count + 4800
        try await rig.idle()
        #expect(rig.speaker.pulled.dropFirst(count).allSatisfy { $0 == 0 })
    }

    @Test func `without a device everything else goes on`() async throws {
        let server = try ClipServer(path: Clips.film(seconds: 1).path())
        let screen = FakeScreen()
        let player = Player(video: screen, audio: BrokenAudioOutput())
        _ = try await player.perform(.load(MediaItem(url: server.url)))
        #expect(await eventually { player.state.item == nil })
        #expect(screen.shown.last?.number == 24)
        await player.shutdown()
    }
}

/// A device that cannot be opened.
private final class BrokenAudioOutput: AudioOutput {
    func start(_ ring: AudioRing) throws(CastError) { throw CastError(.outputUnavailable, "No device.") }
    func openedFormat() throws(CastError) -> AudioOutputFormat { throw CastError(.outputUnavailable, "No device.") }
    func pause() {}
    func close() {}
}
