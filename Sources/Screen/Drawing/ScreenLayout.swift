package import Casting

/// Where everything stands: content to things to draw, for a screen of a size.
package struct ScreenLayout {
    let size: Size
    /// Measures words; nil while there are no fonts yet.
    let rasterizer: (any TextRasterizer)?

    package init(size: Size, rasterizer: (any TextRasterizer)?) {
        self.size = size
        self.rasterizer = rasterizer
    }

    /// What to draw, from the back to the front.
    package func elements(for content: ScreenContent) -> [Element] {
        var elements: [Element]
        switch content.scene {
        case .idle(let card): elements = ground + idle(card)
        case .picture: elements = []
        case .blank: elements = ground
        case .loading(let card): elements = ground + loading(card, spins: content.spinner != nil)
        case .audio(let card): elements = ground + audio(card)
        case .failure(let caption): elements = ground + failure(caption)
        }
        if let bar = content.bar { elements += self.bar(bar) }
        if let spinner = content.spinner {
            let overPicture = content.scene == .picture
            elements += self.spinner(spinner, y: overPicture ? size.height / 2 : size.height * 62 / 100, overPicture)
        }
        if let caption = content.caption { elements += self.caption(caption, hasBar: content.bar != nil) }
        if let volume = content.volume { elements += self.volume(volume) }
        return elements
    }

    var ground: [Element] { [.ground(PixelRect(size))] }

    /// A length given for a screen of 1920 by 1080, in pixels of this one.
    func scaled(_ length: Int) -> Int { Int((Double(length) * scale).rounded()) }

    private var scale: Double { min(Double(size.height) / 1080, Double(size.width) / 1920) }

    /// How high the words become, in whole lines.
    func height(of run: TextRun) -> Int {
        guard let rasterizer else { return run.size }
        let bitmap = rasterizer.bitmap(for: run)
        let lines = (Double(bitmap.top + bitmap.height) / Double(run.size) - 0.05).rounded(.up)
        return run.size * max(1, Int(lines))
    }

    func width(of run: TextRun) -> Int { rasterizer?.bitmap(for: run).width ?? 0 }

    /// Words with their height.
    func text(
        _ run: TextRun, x: Int, y: Int, _ color: Color, anchor: TextPlace.Anchor = .left
    ) -> (element: Element, height: Int) {
        (.text(run, TextPlace(x: x, y: y, anchor: anchor), color), height(of: run))
    }
}
