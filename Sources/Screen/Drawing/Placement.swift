internal import Casting
internal import Media

/// Which part of a frame goes where on the screen: the same for every presenter, so that they show the same.
struct Placement: Equatable {
    /// Where it goes; within the screen.
    var rect: PixelRect
    /// What of the upright frame is left out.
    var crop: Crop

    /// The place of a frame by a gravity.
    init(of frame: VideoFrame, in screen: Size, _ gravity: VideoGravity) {
        self.init(
            displaySize: frame.displaySize,
            storedSize: Size(width: frame.width, height: frame.height),
            swapsAxes: frame.orientation.swapsAxes, in: screen, gravity)
    }

    /// The place of a picture that is shown at one size and stored, before it is turned, in another.
    init(displaySize: Size, storedSize: Size, swapsAxes: Bool, in screen: Size, _ gravity: VideoGravity) {
        let whole = Letterbox.rect(of: displaySize, in: screen, gravity)
        rect = whole.intersection(PixelRect(screen))
        crop = .none
        guard !rect.isEmpty, rect != whole else { return }
        let upright =
            swapsAxes ? Size(width: storedSize.height, height: storedSize.width) : storedSize
        let across = Self.share(-whole.x, of: whole.width, samples: upright.width)
        let down = Self.share(-whole.y, of: whole.height, samples: upright.height)
        crop = Crop(left: across, top: down, right: across, bottom: down)
    }

    /// The share of a side that lies beyond the screen, in whole groups of the four samples that chroma has one for.
    private static func share(_ pixels: Int, of side: Int, samples: Int) -> Double {
        guard pixels > 0, samples > 0 else { return 0 }
        let groups = (Double(pixels) / Double(side) * Double(samples) / 4).rounded()
        return groups * 4 / Double(samples)
    }
}
