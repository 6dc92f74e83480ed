internal import Casting
internal import Media
internal import Playback

/// A picture of the film and whose text lies over it.
struct FilmPicture {
    let frame: VideoFrame
    let subtitles: (any SubtitleSource)?
    let dueTime: HostTime

    init(_ picture: Picture) {
        frame = picture.frame
        subtitles = picture.subtitles
        dueTime = picture.dueTime
    }
}

extension Screen {
    /// The text that is to lie over a picture.
    func subtitles(of picture: FilmPicture?) -> [ImageOverlay] {
        guard let picture, let source = picture.subtitles else { return [] }
        let size = presenter.size
        let stage = SubtitleRenderer.Stage(
            screen: size, film: picture.frame.displaySize, gravity: presenter.gravity)
        return subtitles.images(
            of: source, at: picture.frame.presentationTime, on: stage, floor: subtitleFloor)
    }

    /// Whether exactly these images were drawn last.
    func isDrawn(_ images: [ImageOverlay]) -> Bool {
        images.count == drawnSubtitles.count && zip(images, drawnSubtitles).allSatisfy { $0 === $1 }
    }
}
