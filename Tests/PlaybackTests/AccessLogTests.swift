import Casting
import Testing

@testable import Media
@testable import Playback

@Suite struct AccessLogTests {
    private func figures(
        at position: Double, moving: Bool = true, bytes: Int64 = 0, requests: Int = 0, stalls: Int = 0,
        loaded: Double? = nil, age: Double = 0, ready: Bool = true
    ) -> AccessLogKeeper.Figures {
        var traffic = TrafficFigures()
        (traffic.byteCount, traffic.requestCount, traffic.bytesPerSecond) = (bytes, requests, 1000)
        (traffic.serverAddress, traffic.url) = ("192.0.2.1", "http://h/film")
        return AccessLogKeeper.Figures(
            date: "date \(position)", position: position, isMoving: moving, loadedUpTo: loaded, isReady: ready,
            isLive: false, stalls: stalls, droppedFrames: 0, traffic: traffic, age: age)
    }

    @Test func `nothing is noted before playback moves`() {
        var keeper = AccessLogKeeper(url: "u", playbackSessionID: "s")
        keeper.note(figures(at: 0, moving: false, age: 0.3))
        #expect(keeper.entries(figures(at: 0, moving: false)).isEmpty)
    }

    @Test func `a stretch adds up what was watched and what came`() {
        var keeper = AccessLogKeeper(url: "u", playbackSessionID: "s")
        keeper.note(figures(at: 0, moving: false, ready: false))
        keeper.note(figures(at: 0, moving: false, age: 0.3))
        keeper.note(figures(at: 0, bytes: 500, requests: 1, age: 0.4))
        keeper.note(figures(at: 1, bytes: 900, requests: 1, loaded: 20))
        // A pause is no interruption.
        keeper.note(figures(at: 1.5, moving: false))
        keeper.note(figures(at: 1.5))
        let entries = keeper.entries(figures(at: 2, bytes: 1000, requests: 2, loaded: 30))
        #expect(entries.count == 1)
        #expect(entries[0].uri == "http://h/film")
        #expect(entries[0].playbackSessionID == "s")
        #expect(entries[0].playbackStartDate == "date 0.0")
        #expect(entries[0].startupTime == 0.3)
        #expect(entries[0].durationWatched == 2)
        #expect(entries[0].segmentsDownloadedDuration == 30)
        #expect(entries[0].numberOfBytesTransferred == 1000)
        #expect(entries[0].numberOfMediaRequests == 2)
        #expect(entries[0].observedBitrate == 8000)
        #expect(entries[0].playbackType == "FILE")
    }

    @Test func `seeks and stalls begin another entry, which counts from there`() {
        var keeper = AccessLogKeeper(url: "u", playbackSessionID: "s")
        keeper.note(figures(at: 0))
        keeper.note(figures(at: 3, bytes: 100))
        keeper.interrupt(figures(at: 100, moving: false, bytes: 300, requests: 1))
        keeper.note(figures(at: 100, bytes: 400, requests: 1))
        keeper.interrupt(figures(at: 101, moving: false, bytes: 500, requests: 3, stalls: 1))
        keeper.interrupt(figures(at: 101, moving: false, bytes: 500, requests: 3, stalls: 1))
        keeper.note(figures(at: 101, bytes: 600, requests: 3, stalls: 1))
        let entries = keeper.entries(figures(at: 104, bytes: 700, requests: 4, stalls: 1))
        #expect(entries.map(\.playbackStartOffset) == [0, 100, 101])
        #expect(entries.map(\.durationWatched) == [3, 1, 3])
        #expect(entries.map(\.numberOfBytesTransferred) == [300, 200, 200])
        #expect(entries.map(\.numberOfMediaRequests) == [1, 2, 1])
        #expect(entries.map(\.numberOfStalls) == [0, 1, 0])
    }

    @Test func `a log never grows without end`() {
        var keeper = AccessLogKeeper(url: "u", playbackSessionID: "s")
        for number in 0..<500 {
            keeper.note(figures(at: Double(number)))
            keeper.interrupt(figures(at: Double(number)))
        }
        #expect(keeper.entries(figures(at: 0, moving: false)).count == AccessLogKeeper.most)
    }
}
