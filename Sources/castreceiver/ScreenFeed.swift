import Casting
import Screen
import Synchronization

/// What the screen is told, gathered from the receiver, the network and the advertiser, each on its own thread.
final class ScreenFeed: Sendable {
    private let status: Mutex<ScreenStatus>
    private let show: @Sendable (ScreenStatus) -> Void

    /// - Parameter show: takes a status that differs from the one before.
    init(receiverName: String, show: @escaping @Sendable (ScreenStatus) -> Void) {
        status = Mutex(ScreenStatus(receiverName: receiverName))
        self.show = show
    }

    /// Takes in what happens in playback.
    func hear(_ event: Event) {
        switch event {
        case .state(let state):
            change { status in
                let isNew = status.playback.item?.id != state.item?.id || status.playback.item?.notice == nil
                if isNew, let notice = state.item?.notice { status.notice = notice }
                status.playback = state
            }
            change { $0.notice = nil }
        case .failed(_, let error), .failedToEnd(_, let error), .notice(_, let error):
            // An item of the queue that is passed over is in no state. Taken back at once, so that the next one is news
            // even where the reason is the same.
            change { $0.notice = error }
            change { $0.notice = nil }
        default: break
        }
    }

    /// Changes what is told, and tells it if it is news.
    func change(_ body: (inout ScreenStatus) -> Void) {
        status.withLock { status in
            let before = status
            body(&status)
            // Within the lock: the screen must hear changes in the order they were made.
            if status != before { show(status) }
        }
    }
}
