import Casting
import Testing

@testable import Screen

@Suite("Where the picture stands")
struct GeometryTests {
    @Test(
        "A picture is as large as fits, in the middle",
        arguments: [
            (
                Size(width: 1920, height: 1080), Size(width: 1280, height: 720),
                PixelRect(x: 0, y: 0, width: 1280, height: 720)
            ),
            (
                Size(width: 640, height: 480), Size(width: 1280, height: 720),
                PixelRect(x: 160, y: 0, width: 960, height: 720)
            ),
            (
                Size(width: 1920, height: 800), Size(width: 1920, height: 1080),
                PixelRect(x: 0, y: 140, width: 1920, height: 800)
            ),
            // A telephone's film, standing.
            (
                Size(width: 1080, height: 1920), Size(width: 1920, height: 1080),
                PixelRect(x: 656, y: 0, width: 608, height: 1080)
            ),
            // PAL in 16:9 is 1024 by 576 square pixels: a hair narrower than the screen.
            (
                Size(width: 1024, height: 576), Size(width: 1920, height: 1080),
                PixelRect(x: 0, y: 0, width: 1920, height: 1080)
            ),
            (
                Size(width: 1919, height: 1080), Size(width: 1920, height: 1080),
                PixelRect(x: 0, y: 0, width: 1920, height: 1080)
            ),
            (
                Size(width: 1, height: 5000), Size(width: 320, height: 200),
                PixelRect(x: 159, y: 0, width: 1, height: 200)
            ),
            (Size(width: 0, height: 10), Size(width: 320, height: 200), PixelRect(x: 0, y: 0, width: 0, height: 0)),
        ])
    func letterbox(picture: Size, screen: Size, rect: PixelRect) {
        #expect(Letterbox.rect(of: picture, in: screen) == rect)
    }

    @Test("Picture and borders together are the screen, without overlap")
    func borders() {
        let screen = Size(width: 100, height: 60)
        for rect in [
            PixelRect(x: 10, y: 0, width: 80, height: 60), PixelRect(x: 0, y: 5, width: 100, height: 50),
            PixelRect(x: 3, y: 4, width: 5, height: 6), PixelRect(screen), .empty,
        ] {
            var count = [Int](repeating: 0, count: 6000)
            for part in Letterbox.borders(around: rect, in: screen) + [rect] {
                for y in part.y..<part.bottom { for x in part.x..<part.right { count[y * 100 + x] += 1 } }
            }
            #expect(count.allSatisfy { $0 == 1 }, "\(rect)")
        }
    }

    @Test("Merged rectangles cover all and do not overlap")
    func merging() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let rects = (0..<6).map { _ in
                PixelRect(
                    x: .random(in: 0..<50, using: &random), y: .random(in: 0..<50, using: &random),
                    width: .random(in: 1..<20, using: &random), height: .random(in: 1..<20, using: &random))
            }
            let merged = Overlay.merged(rects)
            for rect in rects { #expect(merged.contains { $0.contains(rect) }) }
            for (index, one) in merged.enumerated() {
                for other in merged.dropFirst(index + 1) { #expect(one.intersection(other).isEmpty) }
            }
        }
    }
}
