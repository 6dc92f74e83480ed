internal import Casting
internal import Media

/// A decoded picture in line.
struct QueuedPicture: Sendable {
    var frame: VideoFrame
    /// Seconds of item time it is to be seen.
    var duration: Double
    /// Tells it from every other picture of the item.
    var number: Int
    /// The seek it belongs to.
    var generation: Int
}

extension Pipeline {
    /// The pictures on their way to the screen. Set by their decoder's thread; `handed` and `shown` by the conductor and
    /// the output.
    struct Pictures {
        var line = Fifo<QueuedPicture>()
        var lastNumber = 0
        /// The item time at which the last picture's time is over, once the decoder has given all.
        var end: Double?
        /// Whether no picture is to be expected for now: the stream begins later, or has a hole.
        var areAbsent = false
        /// Whether the decoder has been given the first packet.
        var haveBegun = false
        /// Whether the decoder waits for packets.
        var starve = false
        /// The picture handed to the output and not up yet.
        var handed: (picture: QueuedPicture, due: HostTime)?
        /// The picture that is up.
        var shown: (time: Double, duration: Double, generation: Int)?
        /// What the picture that is up looks like: media may change in mid-stream.
        var look: (size: Size, range: DynamicRange)?
    }

    /// Whether a picture of this generation will come before long.
    var expectsPicture: Bool {
        guard source.hasPictures, !pictures.areAbsent else { return false }
        return pictures.end == nil || !pictures.line.isEmpty || pictures.handed != nil || presentation.pictureIsUp
    }

    /// Whether a generation's first picture is all that is waited for.
    var showsFirstPicture: Bool {
        !isAhead && presentation.phase == .preparing && expectsPicture && !presentation.pictureIsUp
    }

    /// Whether it is settled where playback begins, so that sound may be made from there.
    var landingIsSettled: Bool {
        !source.hasPictures || pictures.haveBegun || pictures.areAbsent || pictures.end != nil
    }

    /// Where playback begins when its first picture is of that time.
    func landing(on time: Double) -> Double {
        aim.kind == .at ? max(time, target - aim.toleranceBefore) : time
    }

    /// Notes that a picture came up.
    /// - Returns: whether the conductor is to know.
    mutating func noteShown(_ picture: QueuedPicture, at instant: HostTime) -> Bool {
        guard picture.generation == generation else { return false }
        // Whoever was answered without it has to hear that there is a picture now.
        if pictures.shown == nil, presentation.isAnswered { presentation.owesPicture = true }
        pictures.noteShown(picture)
        presentation.noteShown(picture, at: instant, bySound: source.hasSound)
        return true
    }
}

extension Pipeline.Pictures {
    /// Throws away what is in line, for pictures from another place.
    mutating func beginGeneration() {
        line.removeAll()
        end = nil
        areAbsent = false
        haveBegun = false
        starve = false
    }

    /// Takes back what was handed to the output and is not up, for later.
    mutating func putBackHanded() {
        guard let handed else { return }
        line.prepend(handed.picture)
        self.handed = nil
    }

    fileprivate mutating func noteShown(_ picture: QueuedPicture) {
        if handed?.picture.number == picture.number {
            handed = nil
        } else if line.first?.number == picture.number {
            // Taken back too late.
            _ = line.popFirst()
        }
        shown = (picture.frame.presentationTime, picture.duration, picture.generation)
        look = (picture.frame.displaySize, picture.frame.dynamicRange)
    }
}
