package import Casting

/// A key as far as the screen cares.
package enum Key: Hashable, Sendable {
    case space, left, right, up, down, a, s, m, f, w, z, x, escape, period, comma, pageUp, pageDown
    case mediaPlay, mediaStop, mediaNext, mediaPrevious, mediaForward, mediaRewind
    case volumeUp, volumeDown, mute
}

/// What a key does.
package enum KeyAction: Hashable, Sendable {
    /// Something for playback, as if a sender had asked for it.
    case command(Command)
    /// The screen's own: window or full screen.
    case toggleFullScreen
}

/// Tells what keys do, and how often while they are held.
package struct KeyMap: Sendable {
    /// Seconds that a skip goes.
    static let skip = 10.0
    /// How much the volume changes.
    static let volumeStep = 0.05
    /// Seconds by which subtitles come sooner or later.
    static let subtitleStep = 0.1

    private var lastRepeat: HostTime?

    /// A keyboard nobody has touched.
    package init() {}

    /// What a key does, pressed now or held until now; nil for nothing.
    package mutating func action(for key: Key, isRepeat: Bool, at now: HostTime) -> KeyAction? {
        let action = Self.action(for: key)
        guard isRepeat else {
            lastRepeat = now
            return action
        }
        // Keyboards repeat thirty times a second: too much for skips, and a toggle must not flutter.
        guard let pause = Self.pauseBetweenRepeats(of: key), now.seconds(since: lastRepeat ?? now) >= pause else {
            return nil
        }
        lastRepeat = now
        return action
    }

    private static func pauseBetweenRepeats(of key: Key) -> Double? {
        switch key {
        case .left, .right, .mediaForward, .mediaRewind: 0.3
        case .period, .comma: 0.1
        case .up, .down, .volumeUp, .volumeDown, .z, .x: 0.1
        default: nil
        }
    }

    private static func action(for key: Key) -> KeyAction {
        switch key {
        case .space, .mediaPlay: .command(.togglePlayback)
        case .left, .mediaRewind: .command(.skip(by: -skip))
        case .right, .mediaForward: .command(.skip(by: skip))
        case .period: .command(.step(by: 1))
        case .comma: .command(.step(by: -1))
        case .up, .volumeUp: .command(.setVolume(.adjust(volumeStep)))
        case .down, .volumeDown: .command(.setVolume(.adjust(-volumeStep)))
        case .m, .mute: .command(.setVolume(.toggleMute))
        case .pageUp: .command(.nextChapter)
        case .pageDown: .command(.previousChapter)
        case .a: .command(.nextTrack(of: .audible))
        case .s: .command(.nextTrack(of: .legible))
        case .z: .command(.setSubtitles(SubtitleChange(delayAdjustment: -subtitleStep)))
        case .x: .command(.setSubtitles(SubtitleChange(delayAdjustment: subtitleStep)))
        case .w: .command(.nextVideoGravity)
        case .f: .toggleFullScreen
        case .escape: .command(.disconnect)
        case .mediaStop: .command(.stop)
        case .mediaNext: .command(.next)
        case .mediaPrevious: .command(.previous)
        }
    }
}
