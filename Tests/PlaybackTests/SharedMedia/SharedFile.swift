import Casting
import Testing

@testable import Playback

/// A file made by others, and what is to come of playing it from its beginning to its end.
struct SharedFile: Sendable, CustomTestStringConvertible {
    /// How playing ends.
    enum Ending: Sendable {
        /// It is played to its end.
        case ended
        /// It cannot be played, at once or from some place on.
        case failed(CastError.Code)
        /// Either is right, as long as nothing hangs.
        case any
    }

    /// Below the folder of the shared media.
    var path: String
    var ending = Ending.ended
    /// Seconds that the state tells as its duration, to a twentieth; nil where it is to be unknown.
    var duration: Double?
    /// The tracks, as `v`, `a` or `t` and the codec, the selected ones with a star: `*v:h264 *a:aac`.
    var tracks: String
    /// Width and height to show it at.
    var size: Size?
    /// Item times of the first and the last picture, to a tenth; nil where there is no moving picture.
    var pictures: ClosedRange<Double>?
    /// Seconds from the first to the last audible sample, to a tenth; nil where nothing is asked.
    var sound: Double?
    /// What else is to hold once it has been played.
    var more: @Sendable (PlayThrough) throws -> Void = { _ in }

    var testDescription: String { path }
}

extension ItemState {
    /// The tracks in short.
    var shortTracks: String {
        tracks.map { track in
            let kind =
                switch track.kind {
                case .visual: "v"
                case .audible: "a"
                case .legible: "t"
                }
            return (track.selected ? "*" : "") + kind + ":" + track.codec
        }.joined(separator: " ")
    }
}
