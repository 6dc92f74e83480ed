import Foundation
import TestSupport
import Testing

@Suite("A screen in memory")
struct OffscreenTests {
    private static let film = ["item", "Film", "ready", "100", "video", "play", "show"]

    @Test("The idle card comes up with its words, and then the main thread sleeps")
    func idle() throws {
        let probe = try Probe("show", "sleep", "1.5", "measure", "3", "capture", "@/idle")
        let picture = try probe.picture("idle")
        #expect(picture.brightPixels > 200, "the name is missing")
        #expect(picture[2, 178] != 0, "the ground is missing")
        let figures = probe.numbers("wake-ups")
        // The clock may strike meanwhile; a busy machine may account for more work than was done.
        #expect(figures[0] <= 6, "\(figures[0]) wake-ups in three seconds")
        #expect(figures[1] < 0.03 * 3, "\(figures[1]) s of work in three seconds")
        #expect(probe.lines.last == "done")
    }

    @Test("A picture's colours are on the screen, with black borders, after its whole time and not before")
    func picture() throws {
        let probe = try Probe(
            "item", "Film", "ready", "100", "video", "pause", "show", "frame", "corners", "160x120", "0.2", "sleep",
            "0.1",
            "capture", "@/film")
        #expect(probe.numbers("shown").first.map { $0 > -0.001 } == true)
        let picture = try probe.picture("film")
        for (x, y, color) in [
            (60, 40, UInt32(0xFF0000)), (260, 40, 0x00FF00), (60, 140, 0x0000FF), (260, 140, 0xFFFFFF),
            (10, 90, 0), (310, 90, 0), (38, 3, 0), (281, 3, 0), (41, 3, 0xFF0000), (278, 3, 0x00FF00),
        ] {
            #expect(picture[x, y] == color, "at \(x), \(y)")
        }
    }

    @Test("What is captured is the picture that is up, not the one prepared to come; a flush takes that back")
    func ahead() throws {
        let probe = try Probe(
            "item", "Film", "ready", "100", "video", "pause", "show", "frame", "FF0000", "320x180", "0", "enqueue",
            "0000FF", "320x180", "1.0", "sleep", "0.3", "capture", "@/before", "flush", "sleep", "1.2", "capture",
            "@/after", "enqueue", "00FF00", "320x180", "0.2", "sleep", "1", "capture", "@/last")
        #expect(try probe.picture("before")[100, 20] == 0xFF0000)
        #expect(try probe.picture("after")[100, 20] == 0xFF0000)
        #expect(try probe.picture("last")[100, 20] == 0x00FF00)
        #expect(probe.lines.count { $0 == "shown at last" } == 1)
    }

    @Test("The last picture stays until it is taken down; then the card is back")
    func clear() throws {
        let probe = try Probe(
            "item", "Film", "ready", "100", "video", "pause", "show", "frame", "FF0000", "320x180", "0", "sleep", "0.2",
            "capture", "@/up", "clear", "stop", "show", "sleep", "0.3", "capture", "@/down")
        #expect(try probe.picture("up")[100, 20] == 0xFF0000)
        let down = try probe.picture("down")
        #expect(down[100, 20] != 0xFF0000 && down[100, 20] != 0)
    }

    @Test("The bar lies over the picture for a while and leaves no trace")
    func bar() throws {
        let probe = try Probe(
            "sleep", "1", "item", "Film", "ready", "100", "video", "play", "show", "frame", "404040", "320x180", "0",
            "sleep",
            "0.7", "capture", "@/bar", "sleep", "3.2", "capture", "@/bare")
        let bar = try probe.picture("bar")
        #expect(bar[160, 20] == 0x404040)
        #expect(bar[160, 176] != 0x404040, "no shade at the bottom")
        #expect(bar.brightPixels > 50, "no title")
        let bare = try probe.picture("bare")
        for y in stride(from: 0, to: 180, by: 7) { #expect(bare[160, y] == 0x404040) }
    }

    @Test("A failure's sentence is up for five seconds, then the card")
    func failure() throws {
        let probe = try Probe(
            "sleep", "1", "item", "Film", "fail", "There is no such film.", "Try another.", "show", "sleep", "0.5",
            "capture", "@/error", "sleep", "5", "capture", "@/idle")
        let error = try probe.picture("error")
        // The sign is orange.
        let orange = stride(from: 0, to: error.bytes.count, by: 4).count {
            error.bytes[$0 + 2] > 230 && (150..<200).contains(error.bytes[$0 + 1]) && error.bytes[$0] < 130
        }
        #expect(orange > 30)
        #expect(try probe.picture("idle").bytes != error.bytes)
    }

    @Test("Pictures at a steady rate come up in time")
    func film() throws {
        let probe = try Probe(
            "item", "Film", "ready", "100", "video", "play", "show", "frame", "corners", "320x180", "0", "sleep", "3.6",
            "film", "320x180", "50", "25")
        let figures = probe.numbers("film")
        _ = figures
        let line = probe.lines.first { $0.hasPrefix("film:") } ?? ""
        let mean = line.split(separator: " ").dropFirst(4).first.flatMap { Double($0) } ?? 9
        // Sleeping to the fraction of a millisecond: only a busy machine makes it late.
        #expect(mean < 0.01, "\(line)")
    }

    @Test("A screenshot is a PNG file of the screen")
    func png() throws {
        let probe = try Probe(
            "item", "Film", "ready", "100", "video", "pause", "show", "frame", "corners", "320x180", "0", "sleep",
            "0.1",
            "png", "@/shot.png")
        try run(
            "ffmpeg",
            [
                "-v", "error", "-i", probe.folder.path + "/shot.png", "-f", "rawvideo", "-pix_fmt", "bgr0",
                probe.folder.path + "/shot",
            ])
        let picture = try probe.picture("shot")
        #expect(picture.bytes.count == 320 * 180 * 4)
        #expect(picture[60, 20] == 0xFF0000)
        #expect(picture[260, 20] == 0x00FF00)
    }

    @Test("Without a display it says so, unless told to go on in memory")
    func noDisplay() throws {
        let environment = ["DISPLAY": "", "WAYLAND_DISPLAY": "", "XDG_RUNTIME_DIR": ""]
        let unset = ["-u", "SDL_VIDEODRIVER", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", Probe.program]
        let refused = try runAny("env", unset + ["--window", "320x180", "show"], environment: environment)
        // A machine with a console may well have a display.
        guard !refused.output.contains("driver: ") else { return }
        #expect(refused.status == 1)
        #expect(refused.output.contains("outputUnavailable"))
        let allowed = try runAny(
            "env", unset + ["--offscreen", "--window", "320x180", "show"], environment: environment)
        #expect(allowed.status == 0)
        #expect(allowed.output.contains("driver: offscreen"))
    }
}
