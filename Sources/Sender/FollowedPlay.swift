public import Casting

/// Decides, from the events of a session, when the playing of some items is over and how it ended.
///
/// What the queue holds after them belongs to them: playing is over when the receiver is idle again.
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
    /// Whether one of the items has come to be the current one, or in the queue; until then the state is of something else.
    public private(set) var hasBegun = false
    /// The item that is loaded, and those that are queued.
    private let itemIDs: Set<String>
    /// Those that are to be queued and have not been seen there yet.
    private var awaited: Set<String>
    /// Whether a failure of one item is the end.
    private let isAlone: Bool
    /// Whether one of the items has played: from then on others may take its place.
    private var hasEnded = false
    /// What was last said of an item, and of which: it is how playing ended, should the receiver be idle next.
    private var notice: (item: String, ending: Ending)?

    /// The playing of the item of that id, which is being loaded, and of others that are being queued after it.
    ///
    /// - Parameters:
    ///   - itemID: the item that is loaded; nil where what plays is left alone.
    ///   - queued: the ids of the others.
    public init(itemID: String?, queued: [String] = []) {
        itemIDs = Set(queued + [itemID].compactMap { $0 })
        awaited = Set(queued)
        isAlone = itemID != nil && queued.isEmpty
    }

    /// Takes in an event, and answers how the playing ended if it did with this.
    public mutating func take(_ event: Event) -> Ending? {
        switch event {
        case .state(let state):
            self.state = state
            return judge(state)
        case .progress(let timeline): state?.timeline = timeline
        case .ended(let id):
            hasEnded = hasEnded || itemIDs.contains(id)
            notice = (id, .ended)
        case .failed(let id, let error), .failedToEnd(let id, let error):
            notice = (id, .failed(error))
            if isAlone, itemIDs.contains(id) { return .failed(error) }
        case .routeLost(let loss): return .lost(loss)
        default: break
        }
        return nil
    }

    private mutating func judge(_ state: PlaybackState) -> Ending? {
        let isMine = state.item.map { itemIDs.contains($0.id) } ?? false
        let isQueued = isMine || !itemIDs.isDisjoint(with: state.queue)
        if isQueued { hasBegun = true }
        awaited.subtract(state.queue)
        guard hasBegun else { return nil }
        guard let item = state.item else {
            // A short one may be over before the others are queued.
            guard let notice else { return .stopped }
            return awaited.isEmpty ? notice.ending : nil
        }
        if !isQueued, !hasEnded { return .replaced }
        // A failed item stays current; nothing comes after the last one.
        if item.status == .failed, isAlone && isMine || awaited.isEmpty && state.queue.last == item.id,
            let error = item.error
        {
            return .failed(error)
        }
        if item.status == .readyToPlay, item.id != notice?.item { notice = nil }
        return nil
    }
}
