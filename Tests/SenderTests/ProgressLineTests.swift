import Casting
import Testing

@testable import Sender

@Suite struct ProgressLineTests {
    static func state(_ change: (inout PlaybackState) -> Void = { _ in }) -> PlaybackState {
        var state = PlaybackState()
        var item = ItemState(id: "a", title: "Film")
        item.status = .readyToPlay
        item.duration = 5400
        item.loadedTimeRanges = [TimeRange(start: 0, end: 1386)]
        state.item = item
        state.timeControlStatus = .playing
        state.rate = 1
        change(&state)
        return state
    }

    static let view = ProgressView(state(), position: 1354)

    @Test("a wide terminal gets everything")
    func wide() {
        #expect(
            ProgressLine.text(Self.view, width: 80)
                == "playing    22:34 / 1:30:00  ━━━━━━━━━━┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈  32 s ahead")
    }

    @Test("what is loaded shows between what was played and what is to come")
    func loaded() {
        let view = ProgressView(
            Self.state { $0.item?.loadedTimeRanges = [TimeRange(start: 0, end: 4050)] }, position: 2700)
        #expect(
            ProgressLine.text(view, width: 66, ascii: true)
                == "playing    45:00 / 1:30:00  ============------......  1350 s ahead")
    }

    @Test("a narrow terminal loses the bar, then the buffer, then the notes")
    func narrow() {
        let view = ProgressView(Self.state { $0.muted = true }, position: 1354)
        #expect(ProgressLine.text(view, width: 50) == "playing    22:34 / 1:30:00  32 s ahead  muted")
        #expect(ProgressLine.text(view, width: 40) == "playing    22:34 / 1:30:00  muted")
        #expect(ProgressLine.text(view, width: 30) == "playing    22:34 / 1:30:00")
        #expect(ProgressLine.text(view, width: 12) == "playing    2")
        #expect(ProgressLine.text(view, width: 0) == "")
    }

    @Test("no line is wider than the terminal", arguments: 0..<120)
    func width(_ width: Int) {
        let view = ProgressView(
            Self.state {
                $0.muted = true
                $0.rate = 1.5
            }, position: 1354)
        #expect(ProgressLine.text(view, width: width).count <= width)
    }

    @Test("a live stream has no end, and no bar")
    func live() {
        let view = ProgressView(
            Self.state {
                $0.item?.duration = nil
                $0.item?.isLive = true
            }, position: 1354)
        #expect(ProgressLine.text(view, width: 80) == "playing    22:34 live  32 s ahead")
    }

    static let words: [(String, PlaybackState)] = [
        ("idle", PlaybackState()),
        ("playing", state()),
        ("paused", state { $0.timeControlStatus = .paused }),
        ("buffering", state { $0.timeControlStatus = .waitingToPlayAtSpecifiedRate }),
        (
            "opening",
            state {
                $0.timeControlStatus = .waitingToPlayAtSpecifiedRate
                $0.item?.status = .unknown
            }
        ),
        ("failed", state { $0.item?.status = .failed }),
    ]

    @Test("waiting is never called paused", arguments: words)
    func word(_ word: String, _ state: PlaybackState) {
        #expect(ProgressView.word(state) == word)
        #expect(ProgressView(state, position: 0, isConnected: false).word == "no answer")
    }

    @Test("where lines stay, one comes on each change and else every ten seconds")
    func pace() {
        var pace = ProgressPace()
        let start = HostTime(seconds: 100)
        let playing = Self.view
        let paused = ProgressView(Self.state { $0.timeControlStatus = .paused }, position: 3)
        let moments: [(ProgressView, String, Double, Bool)] = [
            (playing, "a", 0, true), (playing, "a", 9.9, false), (playing, "a", 10, true), (paused, "a", 11, true),
            (paused, "a", 60, false), (paused, "b", 61, true),
        ]
        for (view, item, seconds, expected) in moments {
            let isDue = pace.isDue(view, item: item, at: start.advanced(by: seconds))
            #expect(isDue == expected, "after \(seconds) s")
        }
        #expect(ProgressLine.plain(playing) == "playing  22:34 / 1:30:00  32 s ahead")
    }
}

@Suite struct PositionEstimateTests {
    @Test("a position moves on between events, on the receiver's clock")
    func moves() {
        var estimate = PositionEstimate()
        #expect(estimate.position(at: HostTime(seconds: 5)) == nil)
        // Over there it is 1000 when it is 5 here; the way takes 20 ms.
        var timeline = Timeline(position: 10, hostTime: HostTime(seconds: 999.5), effectiveRate: 2)
        timeline.sentAt = HostTime(seconds: 1000)
        estimate.observe(timeline, at: HostTime(seconds: 5.02))
        #expect(abs(estimate.position(at: HostTime(seconds: 6.02))! - 13) < 0.001)
        // A faster message tells the clock's offset better: the first one's delay no longer counts.
        timeline = Timeline(position: 20, hostTime: HostTime(seconds: 1005), effectiveRate: 1)
        timeline.sentAt = HostTime(seconds: 1005)
        estimate.observe(timeline, at: HostTime(seconds: 10))
        #expect(abs(estimate.position(at: HostTime(seconds: 11))! - 21) < 0.001)
    }

    @Test("a late message does not throw the clock off")
    func late() {
        var estimate = PositionEstimate()
        estimate.observe(
            Timeline(position: 0, hostTime: HostTime(seconds: 100), effectiveRate: 1), at: HostTime(seconds: 1))
        estimate.observe(
            Timeline(position: 1, hostTime: HostTime(seconds: 101), effectiveRate: 1), at: HostTime(seconds: 4))
        #expect(abs(estimate.position(at: HostTime(seconds: 4))! - 3) < 0.001)
    }

    @Test("a position stays within its item, and stands still while paused")
    func bounds() {
        var state = ProgressLineTests.state { $0.item?.duration = 12 }
        state.timeline = Timeline(position: 10, hostTime: HostTime(seconds: 100), effectiveRate: 1)
        var estimate = PositionEstimate()
        estimate.observe(state, at: HostTime(seconds: 1))
        #expect(estimate.position(at: HostTime(seconds: 60)) == 12)
        state.timeline.effectiveRate = 0
        estimate.observe(state, at: HostTime(seconds: 1))
        #expect(estimate.position(at: HostTime(seconds: 60)) == 10)
    }
}
