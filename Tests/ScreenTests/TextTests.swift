import Casting
import Testing

@testable import Screen

@Suite("Words on the screen")
struct TextTests {
    private let text: TextRenderer

    init() throws {
        text = try #require(TextRenderer(screen: Size(width: 1280, height: 720)))
    }

    @Test("Longer words are wider, and stay within what they may take", arguments: [40, 200, 900])
    func width(limit: Int) {
        let short = text.bitmap(for: TextRun("Film", size: 30, maxWidth: limit))
        let long = text.bitmap(for: TextRun("Film that never ends ".repeated(20), size: 30, maxWidth: limit))
        #expect(short.width > 10)
        #expect(long.width >= short.width && long.width <= limit)
        #expect(long.height < 45)
    }

    @Test("Wrapped words take as many lines as they may, and no more")
    func lines() {
        let words = "The quick brown fox jumps over the lazy dog ".repeated(12)
        for lines in 1...3 {
            let run = TextRun(words, size: 30, maxWidth: 400, maxLines: lines, isCentred: true)
            let bitmap = text.bitmap(for: run)
            #expect(bitmap.width <= 400)
            let layout = ScreenLayout(size: Size(width: 1280, height: 720), rasterizer: text)
            #expect(layout.height(of: run) == lines * 30)
        }
    }

    @Test("Braces and backslashes are letters, not commands")
    func escaping() {
        let plain = text.bitmap(for: TextRun("b1", size: 30, maxWidth: 900))
        let braces = text.bitmap(for: TextRun("{\\b1}b1", size: 30, maxWidth: 900))
        #expect(braces.width > plain.width * 2)
        let path = text.bitmap(for: TextRun("C:\\new\\Nice", size: 30, maxWidth: 900, maxLines: 2))
        #expect(path.height < 45, "\\n and \\N must not break the line")
    }

    @Test(
        "Odd titles are drawn or left out, never trouble",
        arguments: [
            "", " ", "\u{0}", "\n\n\n", "a\u{301}\u{301}\u{301}", "🎬🎬🎬", "مرحبا بالعالم", "日本語のタイトル", "{{{{", "}}\\",
            "\\", "\u{202E}abc", "\u{FEFF}", String(repeating: "W", count: 5000),
            String(repeating: "{\\p1}m 0 0", count: 50),
        ])
    func odd(title: String) {
        for lines in [1, 2] {
            let bitmap = text.bitmap(for: TextRun(title, size: 40, maxWidth: 600, maxLines: lines, isCentred: true))
            #expect(bitmap.width <= 600)
            #expect(bitmap.coverage.count == bitmap.width * bitmap.height)
        }
    }

    @Test("Line ends and runs of blanks become one blank")
    func oneLine() {
        #expect(TextRenderer.oneLine("  A\r\n\tB \u{2028} C\u{7} ") == "A B C")
    }

    @Test("Every sign has a shape within its square", arguments: [16, 48, 120])
    func icons(side: Int) {
        for icon in [Icon.play, .pause, .speaker, .speakerQuiet, .speakerOff, .warning, .note] {
            let bitmap = text.bitmap(for: icon, side: side)
            #expect(bitmap.width == side && bitmap.height == side)
            let ink = bitmap.coverage.count { $0 > 127 }
            #expect(ink > side * side / 20, "\(icon)")
            #expect(ink < side * side * 9 / 10, "\(icon)")
        }
    }

    @Test(
        "No words of the idle card lie over others",
        arguments: ["Den", "A name that needs two lines of the largest letters"])
    func idleCard(name: String) {
        let card = IdleCard(
            name: name, addresses: ["192.168.1.20:7766"], howToCast: "castsend play FILE --to \"\(name)\"",
            advice: "Not announced on the network.", senderName: nil, clock: "23:59", shift: Shift(x: 2, y: 2))
        let layout = ScreenLayout(size: Size(width: 1280, height: 720), rasterizer: text)
        var rects: [PixelRect] = []
        for case .text(let run, let place, _) in layout.elements(for: ScreenContent(scene: .idle(card))) {
            let rect = place.rect(of: text.bitmap(for: run))
            #expect(rects.allSatisfy { $0.intersection(rect).isEmpty }, "\(run.string)")
            #expect(rect.bottom <= 720)
            rects.append(rect)
        }
        #expect(rects.count == 7)
    }

    @Test(
        "The layout puts nothing off the screen, whatever its size", arguments: [(320, 180), (640, 480), (720, 1280)])
    func layout(width: Int, height: Int) {
        let size = Size(width: width, height: height)
        text.resize(to: size)
        let layout = ScreenLayout(size: size, rasterizer: text)
        let long = "A title that is much too long for any screen ".repeated(5)
        var content = ScreenContent(scene: .failure(Caption(isFailure: true, sentence: long, hint: long)))
        let progress = Progress(
            mode: .paused, position: 36000, duration: 72000, played: 500, loaded: 700, isLive: false, muted: true,
            rate: "1.25×")
        content.bar = PlaybackBar(title: long, artist: long, progress: progress, quarters: 4)
        content.volume = VolumeSign(percent: 100, muted: false, quarters: 4)
        content.caption = Caption(isFailure: true, sentence: long, hint: long)
        for element in layout.elements(for: content) {
            switch element {
            case .box(let rect, _, _), .icon(_, let rect, _), .shade(let rect, _), .ground(let rect),
                .image(_, let rect):
                #expect(PixelRect(size).contains(rect), "\(element)")
            case .text(let run, let place, _):
                let rect = place.rect(of: text.bitmap(for: run))
                #expect(rect.x >= 0 && rect.right <= width, "\(element)")
            }
        }
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
