import Casting
import Testing

@testable import Sender

@Suite struct FollowedPlayTests {
    static func state(
        _ id: String?, queue: [String]? = nil, status: ItemStatus = .readyToPlay, error: CastError? = nil
    ) -> Event {
        var state = PlaybackState()
        state.queue = queue ?? id.map { [$0] } ?? []
        if let id {
            state.item = ItemState(id: id)
            state.item?.status = status
            state.item?.error = error
        }
        return .state(state)
    }

    static let error = CastError(.decodeFailed, "Broken.")
    static let loss = RouteLoss(reason: .takenOver, by: "phone")
    static let courses: [(String, [Event], FollowedPlay.Ending?)] = [
        ("what was there before does not count", [state("old"), state(nil), state("old")], nil),
        ("playing goes on", [state(nil), state("mine"), .stalled(itemID: "mine")], nil),
        ("to its end", [state(nil), state("mine"), .ended(itemID: "mine"), state(nil)], .ended),
        ("stopped", [state("mine"), state(nil)], .stopped),
        ("replaced", [state("mine"), state("other")], .replaced),
        ("failed", [state("mine", status: .unknown), .failed(itemID: "mine", error: error)], .failed(error)),
        ("lost", [state("mine"), .routeLost(loss)], .lost(loss)),
        (
            "the queue goes on after it",
            [state("mine"), state("mine", queue: ["mine", "next"]), .ended(itemID: "mine"), state("next")], nil
        ),
        (
            "the queue ends",
            [
                state("mine", queue: ["mine", "next"]), .ended(itemID: "mine"), state("next"), .ended(itemID: "next"),
                state(nil),
            ], .ended
        ),
        (
            "the queue is stopped",
            [state("mine", queue: ["mine", "next"]), .ended(itemID: "mine"), state("next"), state(nil)], .stopped
        ),
        (
            "skipped within its queue",
            [state("mine", queue: ["mine", "next"]), state("next", queue: ["mine", "next"])], nil
        ),
        (
            "the last of the queue fails",
            [
                state("mine"), .ended(itemID: "mine"), state("x", status: .unknown), .failed(itemID: "x", error: error),
                state(nil),
            ],
            .failed(error)
        ),
    ]

    static let severalCourses: [(String, [Event], FollowedPlay.Ending?)] = [
        (
            "to the end of the last",
            [
                state("mine"), state("mine", queue: ["mine", "b"]), .ended(itemID: "mine"),
                state("b", queue: ["mine", "b"]), .ended(itemID: "b"), state(nil),
            ], .ended
        ),
        (
            "the first fails and the second plays",
            [
                state("mine", status: .unknown), state("mine", status: .failed, error: error),
                .failed(itemID: "mine", error: error), state("b", queue: ["mine", "b"]),
            ], nil
        ),
        (
            "the last fails",
            [
                state("mine", queue: ["mine", "b"]), .ended(itemID: "mine"),
                state("b", queue: ["mine", "b"], status: .failed, error: error),
            ], .failed(error)
        ),
        (
            "the first is over before the second is queued",
            [state("mine"), .ended(itemID: "mine"), state(nil), state("b")], nil
        ),
        ("stopped before", [state("mine"), state(nil)], .stopped),
    ]

    @Test("of several, the end is the last one's", arguments: severalCourses)
    func several(_ name: String, _ events: [Event], _ ending: FollowedPlay.Ending?) {
        var play = FollowedPlay(itemID: "mine", queued: ["b"])
        var seen: FollowedPlay.Ending?
        for event in events where seen == nil { seen = play.take(event) }
        #expect(seen == ending, "\(name)")
    }

    static let failedCourses: [(String, [Event], FollowedPlay.Ending?)] = [
        (
            "the last of the queue fails and stays",
            [state("mine"), state("x", queue: ["mine", "x"], status: .failed, error: error)], .failed(error)
        ),
        (
            "one fails with others behind it",
            [state("mine"), state("x", queue: ["mine", "x", "y"], status: .failed, error: error)], nil
        ),
    ]

    @Test("how a play ends is told by its events", arguments: courses + failedCourses)
    func course(_ name: String, _ events: [Event], _ ending: FollowedPlay.Ending?) {
        var play = FollowedPlay(itemID: "mine")
        var seen: FollowedPlay.Ending?
        for event in events where seen == nil { seen = play.take(event) }
        #expect(seen == ending, "\(name)")
    }
}

@Suite struct AttemptsTests {
    @Test("a broken connection is tried again at once, then at intervals, and given up after its patience")
    func broken() {
        var attempts = Attempts(policy: ReconnectPolicy())
        let start = HostTime(seconds: 100)
        attempts.heard(at: start)
        let delays = [0, 0.1, 3.9, 4.1].map { attempts.delayAfterFailure(at: start.advanced(by: $0)) }
        #expect(delays == [0, 0.4, 0.4, nil])
    }

    @Test("after a silence, which may be the network's, there is more patience")
    func silent() {
        var attempts = Attempts(policy: ReconnectPolicy())
        attempts.heard(at: HostTime(seconds: 100))
        let delays = [104, 105.5, 111.9, 112.1].map { attempts.delayAfterFailure(at: HostTime(seconds: $0)) }
        #expect(delays == [0, 0.4, 0.4, nil])
        attempts.heard(at: HostTime(seconds: 113))
        #expect(attempts.delayAfterFailure(at: HostTime(seconds: 114)) == 0)
    }

    @Test("a receiver that never answered is not tried again")
    func never() {
        var attempts = Attempts(policy: ReconnectPolicy())
        let delay = attempts.delayAfterFailure(at: .now)
        #expect(delay == nil)
    }

    @Test(
        "errors come to exit codes",
        arguments: [
            (CastError.Code.invalidRequest, ExitCode.usage), (.routeNotFound, .noRoute), (.receiverBusy, .refused),
            (.notAuthorized, .refused), (.sessionEnded, .refused), (.noCurrentItem, .refused),
            (.contentIsUnavailable, .mediaFailed), (.timedOut, .mediaFailed), (.unsupportedURL, .mediaFailed),
            (.receiverUnreachable, .network), (.discoveryUnavailable, .network),
            (CastError.Code(rawValue: "ofTomorrow"), .mediaFailed),
        ])
    func exitCode(_ code: CastError.Code, _ exitCode: ExitCode) {
        #expect(ExitCode(CastError(code, "x")) == exitCode)
    }
}
