internal import Casting

/// What follows when an item is over.
enum Succession: Equatable, Sendable {
    /// The same item, from its start.
    case again
    /// The next item of the queue.
    case next
    /// The queue's first item.
    case first
    /// The item stays at its end, and the rate is 0.
    case stand
    /// The item stays, and the position counts on.
    case goOn
    /// Nothing: the player is idle.
    case idle
    /// The item stays as the failed one.
    case stay
}

/// Where in a queue the current item is, and how it is to be left: decides what follows.
struct SuccessionRules: Equatable, Sendable {
    /// How many items the queue has.
    var count: Int
    /// Whether an item follows the current one.
    var hasNext: Bool
    /// What is wanted at an item's end.
    var action = ItemEndAction.advance
    /// What is to be played again by itself.
    var loop = LoopMode.none

    /// What follows an item that was played to its end.
    var afterEnd: Succession {
        switch loop {
        case .one: return .again
        case .all: return hasNext ? .next : count > 1 ? .first : .again
        case .none: break
        }
        return switch action {
        case .advance: hasNext ? .next : .idle
        case .pause: .stand
        case .none: .goOn
        }
    }

    /// What follows an item that failed.
    /// - Parameter failures: how many have failed one after the other, this one included.
    func afterFailure(failures: Int) -> Succession {
        if hasNext, loop != .all || failures < count { return .next }
        // Round and round over items that all fail would never end.
        return loop == .all && failures < count ? .first : .stay
    }

    /// What follows when the next item is asked for.
    var afterSkip: Succession {
        if hasNext { return .next }
        return loop == .all ? (count > 1 ? .first : .again) : .idle
    }
}
