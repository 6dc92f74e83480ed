import Foundation
import TestSupport
import Testing

@Suite("Text over the film")
struct SubtitleTests {
    /// Steps to a paused film whose bar has gone.
    private static let film = ["sleep", "1", "item", "Film", "ready", "100", "video", "play", "show"]

    private func probe(_ steps: [String], size: String = "640x360", environment: [String: String] = [:]) throws -> Probe
    {
        try Probe(flags: [], Self.film + steps, size: size, environment: environment)
    }

    @Test("Text stands at the bottom, changes while the picture stays, and leaves no trace")
    func text() throws {
        let probe = try probe([
            "frame", "404040", "640x360", "0", "sleep", "4", "text", "Hello there", "texting", "sleep", "2", "capture",
            "@/text", "text", "", "texting", "sleep", "0.3", "capture", "@/gone",
        ])
        let text = try probe.picture("text", width: 640)
        #expect(text.brightPixels > 100)
        #expect((0..<240).allSatisfy { y in (0..<640).allSatisfy { text[$0, y] == 0x404040 } })
        #expect((0..<640).allSatisfy { text[$0, 359] == 0x404040 })
        let gone = try probe.picture("gone", width: 640)
        #expect((0..<360).allSatisfy { y in (0..<640).allSatisfy { gone[$0, y] == 0x404040 } })
    }

    @Test("Beneath a wide film it stands on the dark, and goes without a trace; at the top it may as well")
    func letterbox() throws {
        let probe = try probe([
            "frame", "404040", "640x240", "0", "sleep", "4", "text", "Below", "texting", "sleep", "2", "capture",
            "@/text", "text", "", "texting", "sleep", "0.3", "capture", "@/gone",
        ])
        let text = try probe.picture("text", width: 640)
        let rows = (0..<360).filter { y in (0..<640).contains { text[$0, y] & 0xFF > 180 } }
        #expect(rows.first.map { $0 >= 300 } == true, "\(rows)")
        let gone = try probe.picture("gone", width: 640)
        #expect((0..<60).allSatisfy { y in (0..<640).allSatisfy { gone[$0, y] == 0 } })
        #expect((300..<360).allSatisfy { y in (0..<640).allSatisfy { gone[$0, y] == 0 } })
    }

    @Test("While the bar is up, text stands above it")
    func bar() throws {
        let probe = try probe([
            "frame", "404040", "640x360", "0", "text", "WWWWWW", "texting", "sleep", "1.5", "capture", "@/bar", "sleep",
            "3", "capture", "@/bare",
        ])
        func middle(_ name: String) throws -> Int {
            let picture = try probe.picture(name, width: 640)
            let rows = (100..<360).filter { y in (260..<380).count { picture[$0, y] & 0xFF > 180 } > 8 }
            return rows.isEmpty ? 0 : rows.reduce(0, +) / rows.count
        }
        let (bar, bare) = (try middle("bar"), try middle("bare"))
        #expect(bar > 0 && bar < bare - 30, "rows \(bar) and \(bare)")
    }

    @Test("A bitmap is scaled by its own canvas, not by the film's size")
    func bitmap() throws {
        let probe = try probe([
            "frame", "404040", "320x180", "0", "sleep", "4", "text", "bitmap", "texting", "sleep", "0.5", "capture",
            "@/square",
        ])
        let picture = try probe.picture("square", width: 640)
        #expect(picture[60, 260] == 0x00FF00)
        #expect(picture[52, 252] == 0x00FF00)
        #expect(picture[47, 260] == 0x404040)
        #expect(picture[73, 260] == 0x404040)
        #expect(picture[60, 247] == 0x404040)
    }

    @Test("Where the picture reaches beyond the screen, text and bitmaps stay on it whole")
    func filling() throws {
        let probe = try probe([
            "gravity", "resizeAspectFill", "frame", "404040", "640x640", "0", "sleep", "4", "text", "Hello there",
            "texting", "sleep", "2", "capture", "@/text", "text", "bitmap", "texting", "sleep", "0.5", "capture",
            "@/square", "gravity", "resizeAspect", "sleep", "0.5", "capture", "@/fit",
        ])
        let text = try probe.picture("text", width: 640)
        #expect(text.brightPixels > 100)
        let rows = (0..<360).filter { y in (0..<640).contains { text[$0, y] & 0xFF > 180 } }
        #expect(rows.first.map { $0 > 290 } == true && rows.last.map { $0 < 355 } == true, "\(rows)")
        #expect([0, 639].allSatisfy { text[$0, 10] == 0x404040 })
        let square = try probe.picture("square", width: 640)
        let fit = try probe.picture("fit", width: 640)
        func green(_ picture: CapturedPicture) -> [Int] {
            (0..<360 * 640).filter { picture[$0 % 640, $0 / 640] == 0x00FF00 }
        }
        #expect(!green(square).isEmpty)
        #expect(green(square) == green(fit))
        // The way back leaves bars.
        #expect(fit[10, 10] == 0 && fit[320, 10] == 0x404040)
    }

    @Test("Text that stays costs nothing")
    func idle() throws {
        let probe = try probe([
            "frame", "404040", "640x360", "0", "text", "Hello", "texting", "pause", "show", "sleep", "7", "measure",
            "3",
        ])
        let figures = probe.numbers("wake-ups")
        #expect(figures[0] <= 9, "\(figures[0]) wake-ups in three seconds")
    }

    @Test("The first picture comes before the fonts are found, and the text after")
    func newMachine() throws {
        let folder = try TemporaryFolder()
        let probe = try Probe(
            flags: [],
            Self.film.dropFirst(2) + [
                "text", "Hello", "frame", "404040", "640x360", "0", "sleep", "5", "texting", "sleep", "4", "capture",
                "@/text",
            ], size: "640x360",
            environment: ["HOME": folder.path, "XDG_CACHE_HOME": folder.path + "/cache"])
        #expect(probe.numbers("shown").first.map { $0 < 1 } == true, "\(probe.lines)")
        #expect(try probe.picture("text", width: 640).brightPixels > 50)
    }
}
