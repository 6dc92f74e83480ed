/// What is up on the screen: a plain value, the same for the same facts.
package struct ScreenContent: Hashable, Sendable {
    /// What fills the screen.
    package var scene: Scene
    /// The bar at the bottom with title and position.
    package var bar: PlaybackBar?
    /// The sign that shows how loud it is.
    package var volume: VolumeSign?
    /// Something said over the scene: an error, or that something is on its way.
    package var caption: Caption?
    /// How far the spinner has turned, 0 to 11; nil for none.
    package var spinner: Int?

    /// Only a scene.
    package init(scene: Scene) { self.scene = scene }

    /// What fills the screen.
    package enum Scene: Hashable, Sendable {
        /// Nothing plays.
        case idle(IdleCard)
        /// The picture.
        case picture
        /// Nothing but the ground: something is about to come.
        case blank
        /// Something is on its way.
        case loading(LoadingCard)
        /// Sound without a picture.
        case audio(AudioCard)
        /// Something went wrong.
        case failure(Caption)
    }
}

/// Who this is and how to cast to it.
package struct IdleCard: Hashable, Sendable {
    /// The receiver's name.
    package var name: String
    /// Where to reach it.
    package var addresses: [String]
    /// What to type.
    package var howToCast: String
    /// Something to know.
    package var advice: String?
    /// Who is connected, without anything playing.
    package var senderName: String?
    /// `HH:MM`.
    package var clock: String
    /// Where the card stands off its place, in hundredths of the height, so that it burns into no panel.
    package var shift: Shift
}

/// A displacement in hundredths of the screen's height.
package struct Shift: Hashable, Sendable {
    package var x: Int
    package var y: Int

    /// Where things stand in a minute of the day: round a small rectangle, a step each minute.
    package static func at(minute: Int) -> Shift {
        let path = [
            (0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (-1, 2), (-1, 1), (-1, 0), (-1, -1), (0, -1),
        ]
        let (x, y) = path[((minute % path.count) + path.count) % path.count]
        return Shift(x: x, y: y)
    }
}

/// What is being opened.
package struct LoadingCard: Hashable, Sendable {
    /// The item's title; nil where none is known.
    package var title: String?
    /// Who sent it.
    package var senderName: String?
}

/// What sounds.
package struct AudioCard: Hashable, Sendable {
    /// The title; a plain word where none is known.
    package var title: String
    /// Who made it.
    package var artist: String?
    /// The record it is on.
    package var album: String?
    /// The picture that goes with it.
    package var artwork: ArtworkImage?
    /// Where it is and what it does.
    package var progress: Progress
    /// Where the card stands off its place.
    package var shift: Shift
}

/// A sentence, and what to do about it.
package struct Caption: Hashable, Sendable {
    /// Whether it tells of a failure.
    package var isFailure: Bool
    /// What is to be said.
    package var sentence: String
    /// What to do.
    package var hint: String?
}

/// Where playback is, as drawn.
package struct Progress: Hashable, Sendable {
    /// What playback does.
    package enum Mode: Hashable, Sendable { case playing, paused, waiting }

    /// What playback does.
    package var mode: Mode
    /// Whole seconds of item time.
    package var position: Int
    /// Whole seconds from first to last; nil where there is no end.
    package var duration: Int?
    /// How much has been played, in thousandths of the whole.
    package var played: Int
    /// How far media is at hand, in thousandths of the whole.
    package var loaded: Int
    /// Whether it is a live stream.
    package var isLive: Bool
    /// Whether sound is off.
    package var muted: Bool
    /// The rate where it is not 1, as text.
    package var rate: String?
}

/// The bar over a picture.
package struct PlaybackBar: Hashable, Sendable {
    /// The item's title.
    package var title: String?
    /// Who made it.
    package var artist: String?
    /// Where playback is.
    package var progress: Progress
    /// How much of it shows, in quarters: 4 is all.
    package var quarters: Int
}

/// How loud it is.
package struct VolumeSign: Hashable, Sendable {
    /// Hundredths of full.
    package var percent: Int
    /// Whether sound is off.
    package var muted: Bool
    /// How much of it shows, in quarters: 4 is all.
    package var quarters: Int
}
