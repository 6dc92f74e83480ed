import Casting
import Testing

@testable import Screen

@Suite("What lies over the picture")
struct OverlayTests {
    private let size = Size(width: 120, height: 80)

    private func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ color: UInt32, alpha: Double = 1) -> Element {
        .box(PixelRect(x: x, y: y, width: width, height: height), radius: 4, Color(color, alpha: alpha))
    }

    private func contents(_ overlay: Overlay) -> [UInt32] {
        Array(UnsafeBufferPointer(start: overlay.pixels.base, count: size.width * size.height))
    }

    @Test("Drawing what changed gives the same pixels as drawing everything")
    func damage() {
        let steps: [[Element]] = [
            [box(0, 0, 60, 40, 0xFF0000), box(30, 20, 60, 40, 0x00FF00, alpha: 0.5)],
            [box(0, 0, 60, 40, 0xFF0000), box(32, 20, 60, 40, 0x00FF00, alpha: 0.5)],
            [box(32, 20, 60, 40, 0x00FF00, alpha: 0.5), box(0, 0, 60, 40, 0xFF0000)],
            [.ground(PixelRect(size)), box(32, 20, 60, 40, 0x00FF00, alpha: 0.5)],
            [.shade(PixelRect(x: 0, y: 40, width: 120, height: 40), Color(0x000000, alpha: 0.8))],
            [],
        ]
        let kept = Overlay(size)
        for step in steps {
            _ = kept.draw(step, rasterizer: nil)
            let fresh = Overlay(size)
            _ = fresh.draw(step, rasterizer: nil)
            #expect(contents(kept) == contents(fresh))
        }
        #expect(kept.covered.isEmpty)
    }

    @Test("Nothing changes, nothing is drawn")
    func same() {
        let overlay = Overlay(size)
        let list = [box(5, 5, 50, 20, 0x123456)]
        #expect(overlay.draw(list, rasterizer: nil) == [PixelRect(x: 5, y: 5, width: 50, height: 20)])
        let generation = overlay.generation
        #expect(overlay.draw(list, rasterizer: nil).isEmpty)
        #expect(overlay.generation == generation)
    }

    @Test("Laid over a picture, half covering is half of each, in every channel and never beyond its range")
    func blending() {
        for alpha in stride(from: UInt32(0), through: 255, by: 5) {
            for ground in stride(from: UInt32(0), through: 255, by: 15) {
                let color = Color(0xFF8000, alpha: Double(alpha) / 255).premultiplied
                let result = over(color, ground << 16 | ground << 8 | ground)
                for (shift, part) in [(UInt32(16), 255.0), (8, 128), (0, 0)] {
                    let value = Double(result >> shift & 255)
                    let exact = part * Double(alpha) / 255 + Double(ground) * (1 - Double(alpha) / 255)
                    #expect(abs(value - exact) <= 2, "\(alpha) over \(ground): \(value), exactly \(exact)")
                }
            }
        }
    }

    @Test("A row laid over another comes out as its pixels do one by one")
    func row() {
        for alpha in UInt32(0)...255 {
            // Not a multiple of what is done at a time.
            let source = (0..<19).map { index -> UInt32 in
                let alpha = index == 11 ? 255 - alpha : alpha
                return alpha << 24 | alpha / 2 << 16 | alpha << 8 | alpha * UInt32(index) / 19
            }
            let ground = (0..<19).map { UInt32($0) &* 0x0D17_2B51 &+ alpha &* 0x0101_0101 }
            var target = ground
            blendRow(source, over: &target, count: 18)
            #expect(target == zip(source, ground).prefix(18).map(over) + [ground[18]])
        }
    }

    @Test("A box has round corners and stays in its rectangle")
    func corners() {
        let overlay = Overlay(size)
        _ = overlay.draw(
            [.box(PixelRect(x: 10, y: 10, width: 40, height: 30), radius: 10, Color(0xFFFFFF))], rasterizer: nil)
        let pixels = overlay.pixels
        #expect(pixels.row(10)[10] == 0)
        #expect(pixels.row(39)[49] == 0)
        #expect(pixels.row(25)[10] == 0xFFFF_FFFF)
        #expect(pixels.row(10)[30] == 0xFFFF_FFFF)
        #expect(pixels.row(25)[9] == 0)
        #expect(pixels.row(40)[30] == 0)
    }
}
