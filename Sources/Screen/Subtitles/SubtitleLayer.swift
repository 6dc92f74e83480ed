internal import Casting
internal import Media
internal import Playback

/// The text over the film, as images for the presenter. Belongs to the main thread.
@MainActor
final class SubtitleLayer {
    private let loader: SubtitleFonts
    private var renderer: SubtitleRenderer?
    /// The fonts that `renderer` has, or will have.
    private var fonts: AttachedFonts?
    /// What was drawn last, of what.
    private var drawn: (key: DrawnKey, time: Double, images: [ImageOverlay])?

    private struct DrawnKey: Equatable {
        var scene: SubtitleScene.Key
        var settings: SubtitleSettings
        var stage: SubtitleRenderer.Stage
        var floor: Int
    }

    /// - Parameter whenReady: called from another thread when text can be drawn that could not before.
    init(whenReady: @escaping @Sendable () -> Void) {
        loader = SubtitleFonts(whenDone: whenReady)
    }

    /// The images of what belongs over a picture; the same objects as long as they are the same.
    ///
    /// - Parameters:
    ///   - time: item time in seconds.
    ///   - floor: the row of the screen under which nothing is to stand, for something else does.
    func images(
        of source: (any SubtitleSource)?, at time: Double, on stage: SubtitleRenderer.Stage, floor: Int
    ) -> [ImageOverlay] {
        guard let scene = source?.scene(at: time) else { return [] }
        let needsText = scene.needsFonts
        if needsText { getReady(scene.fonts) }
        guard !scene.isEmpty else { return [] }
        let key = DrawnKey(scene: scene.key, settings: scene.settings.looks, stage: stage, floor: floor)
        if let drawn, drawn.key == key, !scene.moves || drawn.time == time { return drawn.images }
        let images: [ImageOverlay]
        if case .bitmaps(let bitmaps, let canvas) = scene.content {
            images = SubtitleBitmaps.images(bitmaps, canvas: canvas ?? stage.film, picture: stage.bitmapArea)
        } else {
            guard let renderer else { return [] }
            images = renderer.draw(scene, on: stage)
        }
        let lifted = Self.lift(images, above: floor, screen: stage.screen)
        // What libass says is unchanged is the same objects, and stays so when it is lifted.
        if let drawn, lifted.count == drawn.images.count, zip(lifted, drawn.images).allSatisfy({ $0.isSame(as: $1) }) {
            self.drawn = (key, time, drawn.images)
            return drawn.images
        }
        drawn = (key, time, lifted)
        return lifted
    }

    private func getReady(_ wanted: AttachedFonts) {
        if renderer == nil, let made = loader.take() { renderer = made }
        guard wanted !== fonts else { return }
        fonts = wanted
        renderer = nil
        drawn = nil
        loader.make(wanted)
    }

    /// Images of the lower half, moved up together so that none reaches under `floor`.
    static func lift(_ images: [ImageOverlay], above floor: Int, screen: Size) -> [ImageOverlay] {
        let lower = images.filter { $0.rect.y + $0.rect.height / 2 > screen.height / 2 }
        guard let bottom = lower.map(\.rect.bottom).max(), bottom > floor else { return images }
        return images.map { image in
            guard image.rect.y + image.rect.height / 2 > screen.height / 2 else { return image }
            return image.moved(up: bottom - floor)
        }
    }
}

extension SubtitleScene {
    /// Whether there is text to draw, now or later, rather than bitmaps.
    fileprivate var needsFonts: Bool {
        if case .bitmaps = content { return false }
        return !script.header.isEmpty
    }

    /// Whether it may look different at another time although the same cues are up.
    fileprivate var moves: Bool {
        if case .script = content { return true }
        return false
    }
}

extension SubtitleSettings {
    /// Without what changes only the time.
    fileprivate var looks: SubtitleSettings {
        var looks = self
        looks.delay = 0
        return looks
    }
}
