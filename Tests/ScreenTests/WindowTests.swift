import Foundation
import TestSupport
import Testing

extension XDisplay {
    fileprivate func start(_ arguments: [String]) throws -> Child {
        try Child(Probe.program, arguments, environment: environment.merging(["SDL_AUDIODRIVER": "dummy"]) { $1 })
    }
}

@Suite("A screen on X", .enabled(if: XDisplay.isThere), .serialized)
struct WindowTests {
    @Test("Keys become commands")
    func keys() async throws {
        let display = try await XDisplay("640x360")
        let probe = try display.start(["--window", "320x180", "show", "sleep", "0.5", "size", "sleep", "60"])
        #expect(await eventually(within: 20) { probe.output.contains("size: 320x180") })
        try display.press("space", "Left", "Right", "Up", "Down", "m", "q", "ctrl+m", "XF86AudioNext", "Escape")
        #expect(await eventually { probe.output.contains("disconnect") })
        let keys = probe.output.split(separator: "\n").filter { $0.hasPrefix("key: ") }.map { $0.dropFirst(5) }
        #expect(keys.count == 8, "\(keys)")
        #expect(keys.prefix(3).elementsEqual(["togglePlayback", "skip(by: -10.0)", "skip(by: 10.0)"]))
        #expect(keys.dropLast().last == "next")
    }

    @Test("F fills the display and goes back, though no window manager helps")
    func fullScreen() async throws {
        let display = try await XDisplay("800x450")
        let probe = try display.start(
            ["--window", "320x180", "show", "size", "sleep", "1.5", "size", "sleep", "1.5", "size"])
        #expect(await eventually(within: 20) { probe.output.contains("size: 320x180") })
        try display.press("f")
        #expect(await eventually(within: 20) { probe.output.contains("size: 800x450") })
        let shape = try run(
            "xdotool", ["search", "--name", "castway", "getwindowgeometry"], environment: ["DISPLAY": display.name])
        #expect(shape.output.contains("Position: 0,0") && shape.output.contains("Geometry: 800x450"), "\(shape.output)")
        try display.press("f")
        #expect(await probe.status(within: 20) == 0)
        #expect(probe.output.split(separator: "\n").filter { $0.hasPrefix("size") }.last == "size: 320x180")
    }

    @Test("Started full-screen it has the display's size, and sleeps when idle")
    func asleep() async throws {
        let display = try await XDisplay("800x450")
        let probe = try display.start(["--fullscreen", "show", "sleep", "2", "size", "measure", "3"])
        #expect(await probe.status(within: 30) == 0)
        #expect(probe.output.contains("size: 800x450"))
        let line = probe.output.split(separator: "\n").first { $0.hasPrefix("wake-ups: ") } ?? ""
        let figures = line.split(separator: " ").compactMap { Double($0) }
        #expect(figures.count == 2 && figures[0] <= 8 && figures[1] < 0.1, "\(line)")
    }

    @Test("A window of another size is drawn anew")
    func resize() async throws {
        let display = try await XDisplay("800x450")
        let probe = try display.start(["--window", "320x180", "show", "size", "sleep", "3", "size"])
        #expect(await eventually(within: 20) { probe.output.contains("size: 320x180") })
        try run(
            "xdotool", ["search", "--name", "castway", "windowsize", "500", "300"],
            environment: ["DISPLAY": display.name])
        #expect(await probe.status(within: 20) == 0)
        #expect(probe.output.contains("size: 500x300"))
    }
}
