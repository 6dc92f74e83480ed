import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

/// What becomes of items that cannot be played, or not smoothly.
@Suite(.serialized) struct TroubleTests {
    /// Loads something bad and answers its error.
    private func error(_ rig: Rig, _ url: String) async throws -> CastError {
        do {
            try await rig.load(url)
        } catch let error as CastError {
            return error
        }
        Issue.record("It loaded.")
        return CastError(.unknown, "")
    }

    @Test func `an item that is not there stays as the failed one, with its error, until something else is loaded`()
        async throws
    {
        let film = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        let error = try await error(rig, film.url + ".gone")
        #expect(error.code == .contentIsUnavailable)
        let state = rig.player.state
        #expect(state.item?.status == .failed)
        #expect(state.item?.error == error)
        #expect(state.timeControlStatus == .paused)
        #expect(state.rate == 0)
        await #expect(throws: error) { try await rig.player.perform(.play) }
        await #expect(throws: error) { try await rig.seek(1) }
        #expect(await eventually { rig.events.contains(.failed(itemID: "item-1", error: error)) })
        #expect(rig.ended.isEmpty)
        try await rig.load(film.url, paused: true)
        #expect(rig.player.state.item?.status == .readyToPlay)
        _ = try await rig.player.perform(.stop)
        #expect(rig.player.state.item == nil)
        await #expect(throws: CastError.self) { try await rig.player.perform(.play) }
    }

    @Test func `what is no media, and a server that is not there, say so`() async throws {
        let server = try FaultServer()
        server.serve("/page", Data("<html>nothing to see</html>".utf8), contentType: "text/html")
        let rig = Rig()
        #expect(try await error(rig, server.url("/page")).code == .fileFormatNotRecognized)
        let gone = server.url("/page")
        server.stop()
        #expect(try await error(rig, gone).code == .cannotConnectToHost)
        #expect(try await error(rig, "file:///etc/passwd").code == .unsupportedURL)
    }

    @Test func `a bad item in the queue is passed over`() async throws {
        let film = try ClipServer(path: Clips.film(seconds: 1).path())
        let rig = Rig()
        try await rig.load(film.url)
        let items = [MediaItem(url: film.url + ".gone"), MediaItem(url: film.url)]
        _ = try await rig.player.perform(.enqueue(items, before: nil))
        try await rig.idle()
        #expect(await eventually { rig.ended == ["item-1", "item-3"] })
        #expect(rig.events.contains { if case .failed("item-2", _) = $0 { true } else { false } })
    }

    @Test func `a source that stops coming makes it wait, and it goes on by itself`() async throws {
        let path = try Clips.streamed.path()
        let server = try FaultServer()
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        server.serve("/film.mp4", content, .slow(bytesPerSecond: content.count / 8))
        let rig = Rig(readsNumbers: false)
        try await rig.load(server.url("/film.mp4"))
        // Slower than it plays: it waits at the start, or runs dry on the way.
        try #require(
            await eventually { rig.states.contains { $0.reasonForWaitingToPlay == .toMinimizeStalls } })
        #expect(rig.states.allSatisfy { $0.item == nil || $0.rate == 1 })
        try await rig.idle()
        #expect(rig.screen.shown.last?.time ?? 0 > 3.9)
        for state in rig.states where state.timeControlStatus != .playing {
            #expect(state.timeline.effectiveRate == 0)
        }
    }

    @Test func `loading something else answers the load before, whatever its server does`() async throws {
        let film = try ClipServer(path: Clips.film.path())
        let server = try FaultServer()
        let content = try Data(contentsOf: URL(fileURLWithPath: Clips.film.path()))
        server.serve("/film.mp4", content, .stallAfter(fraction: 0.01, times: 10))
        let rig = Rig()
        let stuck = server.url("/film.mp4")
        let first = Task { try await rig.load(stuck) }
        try #require(await eventually { rig.player.state.item != nil })
        let start = HostTime.now
        try await rig.load(film.url, paused: true)
        #expect(HostTime.now.seconds(since: start) < 2)
        let error = await #expect(throws: CastError.self) { _ = try await first.value }
        #expect(error?.code == .operationCancelled)
        #expect(rig.screen.current?.number == 0)
    }

    @Test func `stopping ends a blocked read at once`() async throws {
        let server = try FaultServer()
        let content = try Data(contentsOf: URL(fileURLWithPath: Clips.streamed.path()))
        server.serve("/film.mp4", content, .stallAfter(fraction: 0.5, times: 10))
        let rig = Rig()
        try await rig.load(server.url("/film.mp4"), paused: true)
        let start = HostTime.now
        _ = try await rig.player.perform(.stop)
        #expect(HostTime.now.seconds(since: start) < 1)
        #expect(rig.screen.isClear)
    }

    @Test func `an item that does not become ready in time fails`() async throws {
        let server = try FaultServer()
        let content = try Data(contentsOf: URL(fileURLWithPath: Clips.streamed.path()))
        server.serve("/film.mp4", content, .stallAfter(fraction: 0.01, times: 10))
        var settings = PlayerSettings()
        settings.loadTimeout = 0.3
        #expect(try await error(Rig(settings: settings), server.url("/film.mp4")).code == .timedOut)
    }

    @Test func `a film cut short plays to the cut and then fails`() async throws {
        let content = try Data(contentsOf: URL(fileURLWithPath: Clips.streamed.path()))
        let server = try FaultServer(content.prefix(content.count / 2))
        let rig = Rig(readsNumbers: false)
        try await rig.load(server.url, rate: 2)
        try #require(await eventually { rig.player.state.item?.status == .failed })
        #expect(rig.screen.shown.count > 20)
        #expect(
            await eventually { rig.events.contains { if case .failedToEnd("item-1", _) = $0 { true } else { false } } })
        #expect(!rig.events.contains { if case .failed = $0 { true } else { false } })
        #expect(rig.ended.isEmpty)
    }

    @Test func `a screen that never says a picture is up does not hold anything up for long`() async throws {
        let film = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        rig.screen.setMute(true)
        try await rig.load(film.url, paused: true)
        #expect(rig.player.state.item?.status == .readyToPlay)
    }

    @Test func `impossible requests are refused`() async throws {
        let film = try ClipServer(path: Clips.film.path())
        let rig = Rig()
        await #expect(throws: CastError.self) { try await rig.load(film.url, rate: 3) }
        await #expect(throws: CastError.self) { try await rig.load(film.url, at: -1) }
        await #expect(throws: CastError.self) { try await rig.player.perform(.disconnect) }
        try await rig.load(film.url, paused: true)
        await #expect(throws: CastError.self) { try await rig.player.perform(.setRate(0.1)) }
        await #expect(throws: CastError.self) { try await rig.player.perform(.setVolume(.set(2))) }
        await #expect(throws: CastError.self) { try await rig.player.perform(.dequeue("nobody")) }
        #expect(rig.player.state.rate == 0)
    }

    @Test func `load and stop, 200 times, leave no thread and no descriptor`() async throws {
        func count(_ folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/" + folder).count) ?? 0
        }
        let server = try ClipServer(path: Clips.film.path())
        let rig = Rig(readsNumbers: false)
        func cycle() async throws {
            try await rig.load(server.url)
            _ = try await rig.player.perform(.stop)
        }
        for _ in 0..<10 { try await cycle() }
        let (threads, descriptors) = (count("task"), count("fd"))
        for _ in 0..<200 { try await cycle() }
        // Other tests have some at the same time, but not a hundred.
        #expect(await eventually { count("task") <= threads + 100 })
        #expect(await eventually { count("fd") <= descriptors + 100 })
    }
}
