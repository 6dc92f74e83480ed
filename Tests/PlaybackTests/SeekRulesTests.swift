import Casting
import Testing

@testable import Playback

@Suite struct SeekRulesTests {
    private let rules = SeekRules(seekable: [TimeRange(start: 0, end: 100)], duration: 100)

    @Test(
        arguments: [
            (0, .go(to: 0)), (42.5, .go(to: 42.5)), (100, .go(to: 100)), (100.9, .go(to: 100)), (101.1, .outOfRange),
            (-0.1, .outOfRange),
        ] as [(Double, SeekRules.Verdict)])
    func `a seek goes where one can, a little past the end is the end`(
        position: Double, verdict: SeekRules.Verdict
    ) throws {
        #expect(try rules.verdict(for: position) == verdict)
    }

    @Test func `before the item is known any position from 0 on is taken`() throws {
        let unknown = SeekRules(seekable: nil, duration: nil)
        #expect(try unknown.verdict(for: 5000) == .go(to: 5000))
        #expect(try unknown.verdict(for: -1) == .outOfRange)
    }

    @Test func `a stream that cannot seek says so`() {
        let stream = SeekRules(seekable: [], duration: nil)
        let error = #expect(throws: CastError.self) { try stream.verdict(for: 5) }
        #expect(error?.code == .operationNotSupported)
    }

    @Test func `skips add up from where playback is going to, within what there is`() {
        #expect(rules.skipTarget(by: 10, position: 20, pendingTarget: nil) == 30)
        #expect(rules.skipTarget(by: 10, position: 20, pendingTarget: 30) == 40)
        #expect(rules.skipTarget(by: -30, position: 20, pendingTarget: nil) == 0)
        #expect(rules.skipTarget(by: 90, position: 20, pendingTarget: nil) == 100)
    }

    @Test(arguments: [
        SeekRequest(position: .nan), SeekRequest(position: .infinity), SeekRequest(position: 1, toleranceBefore: -1),
        SeekRequest(position: 1, toleranceAfter: .nan),
    ])
    func `what is no position is refused`(request: SeekRequest) {
        let error = #expect(throws: CastError.self) { try SeekRules.validate(request) }
        #expect(error?.code == .invalidRequest)
    }
}
