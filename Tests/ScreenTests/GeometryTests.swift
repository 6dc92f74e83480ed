import Casting
import Media
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

    @Test("It fills the screen and reaches beyond it, or is stretched to it, where that is wanted")
    func gravities() {
        let (film, screen) = (Size(width: 640, height: 480), Size(width: 1280, height: 720))
        let fill = PixelRect(x: 0, y: -120, width: 1280, height: 960)
        #expect(Letterbox.rect(of: film, in: screen, .resizeAspectFill) == fill)
        #expect(Letterbox.rect(of: film, in: screen, .resize) == PixelRect(screen))
        let wide = Letterbox.rect(of: Size(width: 1920, height: 800), in: screen, .resizeAspectFill)
        #expect(wide == PixelRect(x: -224, y: 0, width: 1728, height: 720))
        // A hair's breadth is not left out.
        #expect(
            Letterbox.rect(of: Size(width: 1919, height: 1080), in: screen, .resizeAspectFill) == PixelRect(screen))
        for gravity in VideoGravity.allCases {
            #expect(Letterbox.rect(of: Size(width: 0, height: 9), in: screen, gravity) == .empty)
            #expect(Letterbox.rect(of: Size(width: 1, height: 5000), in: screen, gravity).width >= 1)
        }
    }

    @Test("What is left out is so at both sides alike, and turned with the picture")
    func placement() {
        let screen = Size(width: 1280, height: 720)
        let upright = Placement(
            displaySize: Size(width: 640, height: 480), storedSize: Size(width: 640, height: 480), swapsAxes: false,
            in: screen, .resizeAspectFill)
        #expect(upright.rect == PixelRect(screen))
        #expect(upright.crop == Crop(top: 0.125, bottom: 0.125))
        // Stored lying, and of pixels that are no squares: the share of the upright height counts.
        let turned = Placement(
            displaySize: Size(width: 480, height: 640), storedSize: Size(width: 320, height: 480), swapsAxes: true,
            in: screen, .resizeAspectFill)
        #expect(turned.rect == PixelRect(screen))
        #expect(abs(turned.crop.top - (1 - 270.0 / 640) / 2) < 0.01)
        #expect((turned.crop.top * 320).remainder(dividingBy: 4) == 0)
        #expect(turned.crop.left == 0)
        for gravity in [VideoGravity.resize, .resizeAspect] {
            let whole = Placement(
                displaySize: Size(width: 640, height: 480), storedSize: Size(width: 640, height: 480),
                swapsAxes: false, in: screen, gravity)
            #expect(whole.crop == .none)
        }
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
