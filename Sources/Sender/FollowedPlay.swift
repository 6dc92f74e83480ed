public import Casting

/// Decides, from the events of a session, when the playing of one item is over and how it ended.
///
/// What the item's queue holds after it belongs to it: playing is over when the receiver is idle again.
public struct FollowedPlay: Sendable {
    /// How it was over.
    public enum Ending: Hashable, Sendable {
        /// It played to its end, and so did what came after it.
        case ended
        /// Somebody stopped it.
        case stopped
        /// Something else was put on in its place.
        case replaced
        /// It could not be played.
        case failed(CastError)
        /// The session lost the receiver.
        case lost(RouteLoss)
    }

    /// The state as the events tell it; nil before the first.
    public private(set) var state: PlaybackState?
    /// Whether the item has come to be the current one, or in the queue; until then the state is of something else.
    public private(set) var hasBegun = false
    private let itemID: String
    /// Whether the item itself has played: from then on others may take its place.
    private var hasEnded = false
    /// What was last said of an item, and of which: it is how playing ended, should the receiver be idle next.
    private var notice: (item: String, ending: Ending)?

    /// The playing of the item of that id, which is being loaded.
    public init(itemID: String) { self.itemID = itemID }

    /// Takes in an event, and answers how the playing ended if it did with this.
    public mutating func take(_ event: Event) -> Ending? {
        switch event {
        case .state(let state):
            self.state = state
            return judge(state)
        case .progress(let timeline): state?.timeline = timeline
        case .ended(let id):
            hasEnded = hasEnded || id == itemID
            notice = (id, .ended)
        case .failed(let id, let error), .failedToEnd(let id, let error):
            notice = (id, .failed(error))
            if id == itemID { return .failed(error) }
        case .routeLost(let loss): return .lost(loss)
        default: break
        }
        return nil
    }

    private mutating func judge(_ state: PlaybackState) -> Ending? {
        let isMine = state.item?.id == itemID
        let isQueued = isMine || state.queue.contains(itemID)
        if isQueued { hasBegun = true }
        guard hasBegun else { return nil }
        guard let item = state.item else { return notice?.ending ?? .stopped }
        if !isQueued, !hasEnded { return .replaced }
        // A failed item stays current; nothing comes after the last one.
        if item.status == .failed, isMine || state.queue.last == item.id, let error = item.error {
            return .failed(error)
        }
        if item.status == .readyToPlay, item.id != notice?.item { notice = nil }
        return nil
    }
}
