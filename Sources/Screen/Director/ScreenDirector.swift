package import Casting

/// Decides what is up on the screen, from what is known and what time it is.
///
/// Facts come in by `update` and `pictureChanged`; `content` tells what to draw, and `nextChange` when to ask again.
package struct ScreenDirector: Sendable {
    /// How long each thing stays, in seconds.
    enum Stay {
        static let notice = 5.0
        static let bar = 3.0
        static let barAfterPause = 5.0
        static let volume = 2.0
        static let fade = 0.3
        /// How long an item may load before anything is said of it.
        static let silence = 0.5
        static let spinnerStep = 0.1
    }

    var status: ScreenStatus
    /// Whether a picture is up.
    var hasPicture = false
    /// Whether what was up when the item came was a card that may stay until the item has something to show.
    var cameFromIdle = true
    /// Since when the current item is there.
    var itemSince = HostTime(nanoseconds: 0)
    var notice: (error: CastError, until: HostTime)?
    var barUntil: HostTime?
    var volumeUntil: HostTime?
    var spinnerSince: HostTime?

    /// A screen that shows `status` and no picture yet.
    package init(status: ScreenStatus) {
        self.status = status
    }

    /// Takes in what is true now.
    package mutating func update(_ new: ScreenStatus, at now: HostTime) {
        let old = status
        status = new
        let before = old.playback
        let playback = new.playback
        if playback.item?.id != before.item?.id { itemChanged(from: before.item, at: now) }
        noteFailures(old: old, at: now)
        if playback.volume != before.volume || playback.muted != before.muted {
            volumeUntil = now.advanced(by: Stay.volume)
        }
        if playback.item != nil, playback.item?.id == before.item?.id { noteMovement(from: before, at: now) }
        if playback.item == nil { barUntil = nil }
        let stalls = isWaiting && playback.reasonForWaitingToPlay == .toMinimizeStalls
        spinnerSince = stalls ? spinnerSince ?? now : nil
    }

    /// Takes in that a picture came up, or was taken down.
    package mutating func pictureChanged(isUp: Bool, at now: HostTime) {
        guard isUp != hasPicture else { return }
        hasPicture = isUp
        if isUp, status.playback.item != nil, status.playback.timeControlStatus != .paused {
            showBar(for: Stay.bar, at: now)
        }
    }

    /// Whether moving pictures are up, so that the screen must not be darkened.
    package var inhibitsScreenSaver: Bool {
        hasPicture && status.playback.item.map { $0.status != .failed } == true
            && status.playback.timeControlStatus != .paused
    }

    var isWaiting: Bool { status.playback.timeControlStatus == .waitingToPlayAtSpecifiedRate }

    /// The current item, unless it has failed.
    var liveItem: ItemState? { status.playback.item.flatMap { $0.status == .failed ? nil : $0 } }

    private mutating func itemChanged(from old: ItemState?, at now: HostTime) {
        itemSince = now
        cameFromIdle = old == nil || old?.status == .failed
        barUntil = nil
    }

    private mutating func noteFailures(old: ScreenStatus, at now: HostTime) {
        if let error = status.notice, error != old.notice { show(error, at: now) }
        if let item = status.playback.item, item.status == .failed, let error = item.error,
            old.playback.item?.id != item.id || old.playback.item?.status != .failed
        {
            show(error, at: now)
        }
    }

    private mutating func show(_ error: CastError, at now: HostTime) {
        // The same failure told twice, by the item and by the notice, is one.
        if let notice, notice.error == error, now < notice.until { return }
        notice = (error, now.advanced(by: Stay.notice))
    }

    private mutating func noteMovement(from before: PlaybackState, at now: HostTime) {
        let playback = status.playback
        let jump = playback.timeline.position - before.timeline.position(at: playback.timeline.hostTime)
        if playback.timeControlStatus == .paused {
            if before.timeControlStatus != .paused { showBar(for: Stay.barAfterPause, at: now) }
        } else if playback.timeControlStatus == .playing, before.timeControlStatus == .paused {
            showBar(for: Stay.bar, at: now)
        }
        if abs(jump) > 1 || (playback.rate != before.rate && playback.rate != 0 && before.rate != 0) {
            showBar(for: Stay.bar, at: now)
        }
    }

    private mutating func showBar(for seconds: Double, at now: HostTime) {
        barUntil = max(barUntil ?? now, now.advanced(by: seconds))
    }
}
