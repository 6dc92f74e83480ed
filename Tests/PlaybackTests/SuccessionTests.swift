import Casting
import Testing

@testable import Playback

@Suite struct SuccessionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var action: ItemEndAction
        var loop: LoopMode
        var count: Int
        var hasNext: Bool
        var afterEnd: Succession
        var testDescription: String { "\(action), loop \(loop), \(hasNext ? "not last" : "last") of \(count)" }

        init(_ action: ItemEndAction, _ loop: LoopMode, _ count: Int, _ hasNext: Bool, _ afterEnd: Succession) {
            (self.action, self.loop, self.count, self.hasNext, self.afterEnd) = (action, loop, count, hasNext, afterEnd)
        }
    }

    @Test(arguments: [
        Case(.advance, .none, 2, true, .next), Case(.advance, .none, 2, false, .idle),
        Case(.pause, .none, 2, true, .stand), Case(.pause, .none, 1, false, .stand),
        Case(.none, .none, 2, true, .goOn), Case(.none, .none, 1, false, .goOn),
        Case(.advance, .one, 2, true, .again), Case(.pause, .one, 1, false, .again),
        Case(.advance, .all, 3, true, .next), Case(.advance, .all, 3, false, .first),
        Case(.advance, .all, 1, false, .again), Case(.pause, .all, 2, true, .next),
    ])
    func `what follows an item's end`(example: Case) {
        let rules = SuccessionRules(
            count: example.count, hasNext: example.hasNext, action: example.action, loop: example.loop)
        #expect(rules.afterEnd == example.afterEnd)
    }

    @Test func `a failed item is passed over, but not for ever`() {
        var rules = SuccessionRules(count: 3, hasNext: true)
        #expect(rules.afterFailure(failures: 1) == .next)
        #expect(rules.afterFailure(failures: 9) == .next)
        rules.hasNext = false
        #expect(rules.afterFailure(failures: 1) == .stay)
        rules.loop = .all
        #expect(rules.afterFailure(failures: 2) == .first)
        #expect(rules.afterFailure(failures: 3) == .stay)
        rules.hasNext = true
        #expect(rules.afterFailure(failures: 3) == .stay)
        rules.loop = .one
        rules.hasNext = false
        #expect(rules.afterFailure(failures: 1) == .stay)
    }

    @Test func `asked for the next one, the last leads to idle, or round`() {
        #expect(SuccessionRules(count: 2, hasNext: true, loop: .one).afterSkip == .next)
        #expect(SuccessionRules(count: 2, hasNext: false, loop: .one).afterSkip == .idle)
        #expect(SuccessionRules(count: 2, hasNext: false, loop: .all).afterSkip == .first)
        #expect(SuccessionRules(count: 1, hasNext: false, loop: .all).afterSkip == .again)
    }
}
