import Casting
import Testing

@testable import Screen

@Suite("What is up on the screen")
struct DirectorTests {
    private let start = HostTime(seconds: 1000)
    private let wall = WallClock(hour: 9, minute: 5, secondsToNextMinute: 20)
    private var status: ScreenStatus {
        var status = ScreenStatus(receiverName: "Kitchen")
        status.addresses = ["10.0.0.5:7766"]
        return status
    }

    private func film(_ id: String = "a") -> ItemState {
        var item = ItemState(id: id, title: "Film")
        item.status = .readyToPlay
        item.duration = 100
        item.tracks = [MediaTrack(id: "0", kind: .visual, codec: "h264", selected: true)]
        return item
    }

    private func playing(_ item: ItemState?, at position: Double = 0) -> ScreenStatus {
        var status = status
        status.playback.item = item
        status.playback.timeControlStatus = .playing
        status.playback.rate = 1
        status.playback.readyForDisplay = true
        status.playback.timeline = Timeline(position: position, hostTime: start, effectiveRate: 1)
        return status
    }

    private func paused(_ item: ItemState?, at position: Double) -> ScreenStatus {
        var status = playing(item)
        status.playback.timeControlStatus = .paused
        status.playback.rate = 0
        status.playback.timeline = Timeline(position: position, hostTime: start, effectiveRate: 0)
        return status
    }

    private func after(_ seconds: Double) -> HostTime { start.advanced(by: seconds) }

    /// A director whose film has been up for a minute, with nothing over it.
    private func directorInFilm() -> ScreenDirector {
        var director = ScreenDirector(status: status)
        director.update(playing(film()), at: after(-60))
        director.pictureChanged(isUp: true, at: after(-60))
        return director
    }

    @Test("An idle receiver shows its card and wakes for the clock alone")
    func idle() {
        let director = ScreenDirector(status: status)
        let content = director.content(at: start, wall: wall)
        guard case .idle(let card) = content.scene else {
            Issue.record("not idle: \(content.scene)")
            return
        }
        #expect(card.name == "Kitchen")
        #expect(card.clock == "09:05")
        #expect(card.howToCast == "castsend play FILE --to Kitchen")
        #expect(card.addresses == ["10.0.0.5:7766"])
        #expect(director.nextChange(after: start, wall: wall) == after(20))
    }

    @Test("A receiver that is not announced says how to cast to its address")
    func unannounced() {
        var status = status
        status.isAnnounced = false
        #expect(status.howToCast == "castsend play FILE --to 10.0.0.5:7766")
        status.addresses = []
        #expect(status.howToCast == "castsend play FILE --to Kitchen")
    }

    @Test("The card stands elsewhere each minute, within two hundredths of the height")
    func shift() {
        let places = (0..<1440).map { Shift.at(minute: $0) }
        for (one, next) in zip(places, places.dropFirst()) { #expect(one != next) }
        #expect(places.allSatisfy { abs($0.x) <= 2 && abs($0.y) <= 2 })
    }

    @Test("The idle card stays for half a second of loading, then the title comes up")
    func loading() {
        var director = ScreenDirector(status: status)
        var item = film()
        item.status = .unknown
        director.update(playing(item), at: start)
        guard case .idle = director.content(at: after(0.49), wall: wall).scene else {
            Issue.record("the card went too soon")
            return
        }
        #expect(director.nextChange(after: start, wall: wall) == after(0.5))
        #expect(
            director.content(at: after(0.5), wall: wall).scene == .loading(LoadingCard(title: "Film", senderName: nil)))
        #expect(director.nextChange(after: after(0.5), wall: wall) == nil)
    }

    @Test("A spinner turns while playback waits for data, never while it only makes up its mind")
    func spinner() {
        var director = directorInFilm()
        var waiting = playing(film())
        waiting.playback.timeControlStatus = .waitingToPlayAtSpecifiedRate
        waiting.playback.reasonForWaitingToPlay = .evaluatingBufferingRate
        director.update(waiting, at: start)
        #expect(director.content(at: start, wall: wall).spinner == nil)
        #expect(director.nextChange(after: start, wall: wall) == nil)
        waiting.playback.reasonForWaitingToPlay = .toMinimizeStalls
        director.update(waiting, at: start)
        #expect(director.content(at: start, wall: wall).spinner == 0)
        #expect(director.content(at: after(0.25), wall: wall).spinner == 2)
        #expect(director.content(at: after(1.3), wall: wall).spinner == 1)
        let next = director.nextChange(after: after(0.25), wall: wall)
        #expect(next.map { abs($0.seconds(since: after(0.3))) < 0.001 } == true)
    }

    @Test("The bar comes with the first picture and goes after three seconds, fading")
    func barAtStart() {
        var director = ScreenDirector(status: status)
        director.update(playing(film()), at: start)
        director.pictureChanged(isUp: true, at: start)
        let content = director.content(at: after(1), wall: wall)
        #expect(content.scene == .picture)
        #expect(content.bar?.quarters == 4)
        #expect(content.bar?.progress.position == 1)
        #expect(content.bar?.progress.played == 10)
        #expect(director.content(at: after(2.75), wall: wall).bar?.quarters == 3)
        #expect(director.content(at: after(3), wall: wall).bar == nil)
        #expect(director.nextChange(after: after(3), wall: wall) == nil)
    }

    @Test("Pausing shows the bar for five seconds, resuming for three, a seek for three")
    func barAfter() {
        var director = directorInFilm()
        #expect(director.content(at: start, wall: wall).bar == nil)
        director.update(paused(film(), at: 20), at: start)
        #expect(director.content(at: after(4.5), wall: wall).bar?.progress.mode == .paused)
        #expect(director.content(at: after(5), wall: wall).bar == nil)
        var resumed = playing(film(), at: 20)
        resumed.playback.timeline.hostTime = after(10)
        director.update(resumed, at: after(10))
        #expect(director.content(at: after(12.9), wall: wall).bar?.progress.mode == .playing)
        #expect(director.content(at: after(13), wall: wall).bar == nil)
        resumed.playback.timeline = Timeline(position: 80, hostTime: after(20), effectiveRate: 1)
        director.update(resumed, at: after(20))
        #expect(director.content(at: after(20), wall: wall).bar?.progress.position == 80)
        #expect(director.content(at: after(23), wall: wall).bar == nil)
    }

    @Test("Playing on changes nothing on the screen")
    func playingOn() {
        var director = directorInFilm()
        var later = playing(film(), at: 7.02)
        later.playback.timeline.hostTime = after(7)
        director.update(later, at: after(7))
        #expect(director.content(at: after(7), wall: wall) == ScreenContent(scene: .picture))
        #expect(director.nextChange(after: after(7), wall: wall) == nil)
    }

    @Test("The bar is drawn at most ten times a second, and for a long film once")
    func barSteps() {
        var director = directorInFilm()
        for (duration, least, most) in [(5.0, 0.099, 0.21), (7200, 0.5, 1.01)] {
            var item = film()
            item.duration = duration
            director.update(paused(item, at: 1), at: start)
            director.update(playing(item, at: 1), at: start)
            let next = director.nextChange(after: after(0.05), wall: wall)
            let pause = next?.seconds(since: after(0.05)) ?? 0
            #expect(pause >= least && pause <= most, "\(duration) s: \(pause)")
        }
    }

    @Test("The volume shows for two seconds after it changed, over a film only")
    func volume() {
        var director = directorInFilm()
        var louder = playing(film(), at: 60)
        louder.playback.volume = 0.354
        director.update(louder, at: start)
        #expect(
            director.content(at: after(1), wall: wall).volume == VolumeSign(percent: 35, muted: false, quarters: 4))
        #expect(director.content(at: after(2), wall: wall).volume == nil)
        var muted = louder
        muted.playback.muted = true
        director.update(muted, at: after(5))
        #expect(director.content(at: after(5), wall: wall).volume?.muted == true)
        var idle = ScreenDirector(status: status)
        var quiet = status
        quiet.playback.volume = 0
        idle.update(quiet, at: start)
        #expect(idle.content(at: start, wall: wall).volume == nil)
    }

    @Test("A failed item's sentence shows for five seconds, then the idle card; told twice, it is one")
    func failure() {
        var director = directorInFilm()
        let error = CastError(.timedOut, "The server took too long.", hint: "Try again.")
        var failed = playing(film("b"))
        failed.playback.item?.status = .failed
        failed.playback.item?.error = error
        director.update(failed, at: start)
        failed.notice = error
        director.update(failed, at: after(1))
        director.pictureChanged(isUp: false, at: after(1))
        let caption = Caption(isFailure: true, sentence: "The server took too long.", hint: "Try again.")
        #expect(director.content(at: after(4.9), wall: wall).scene == .failure(caption))
        #expect(director.nextChange(after: after(1), wall: wall) == after(5))
        guard case .idle = director.content(at: after(5), wall: wall).scene else {
            Issue.record("the failure stays")
            return
        }
        #expect(!director.inhibitsScreenSaver)
    }

    @Test("A notice while a film plays lies over the film")
    func noticeOverFilm() {
        var director = directorInFilm()
        var status = playing(film(), at: 60)
        status.notice = CastError(.decoderNotFound, "The next item is of an unknown kind.")
        director.update(status, at: start)
        let content = director.content(at: after(1), wall: wall)
        #expect(content.scene == .picture)
        #expect(content.caption?.isFailure == true)
        #expect(director.content(at: after(5), wall: wall).caption == nil)
    }

    @Test("The last picture stays while the next item loads, with a word after half a second")
    func nextItem() {
        var director = directorInFilm()
        var next = film("b")
        next.status = .unknown
        next.tracks = []
        var status = playing(next)
        status.playback.readyForDisplay = false
        director.update(status, at: start)
        #expect(director.content(at: after(0.4), wall: wall) == ScreenContent(scene: .picture))
        #expect(
            director.content(at: after(0.6), wall: wall).caption
                == Caption(isFailure: false, sentence: "Loading…", hint: "Film"))
    }

    @Test("Sound without a picture has a card of its own that follows the position")
    func audio() {
        var director = ScreenDirector(status: status)
        var song = film()
        song.artist = "Band"
        song.tracks = [MediaTrack(id: "0", kind: .audible, codec: "mp3", selected: true)]
        var status = playing(song, at: 41.5)
        status.playback.readyForDisplay = false
        director.update(status, at: start)
        guard case .audio(let card) = director.content(at: start, wall: wall).scene else {
            Issue.record("no card for sound")
            return
        }
        #expect(card.title == "Film")
        #expect(card.artist == "Band")
        #expect(card.progress.position == 41)
        let next = director.nextChange(after: start, wall: wall)
        #expect(next.map { $0 <= after(1) && $0 >= after(0.09) } == true)
        #expect(!director.inhibitsScreenSaver)
    }

    @Test("The screen saver is held off exactly while a picture moves or is about to")
    func screenSaver() {
        var director = ScreenDirector(status: status)
        #expect(!director.inhibitsScreenSaver)
        director.update(playing(film()), at: start)
        director.pictureChanged(isUp: true, at: start)
        #expect(director.inhibitsScreenSaver)
        director.update(paused(film(), at: 3), at: start)
        #expect(!director.inhibitsScreenSaver)
        director.update(status, at: start)
        #expect(!director.inhibitsScreenSaver)
    }

    @Test("A live stream has no duration and says that it is live")
    func live() {
        var director = directorInFilm()
        var item = film()
        item.isLive = true
        item.duration = nil
        director.update(paused(item, at: 20), at: start)
        let progress = director.content(at: start, wall: wall).bar?.progress
        #expect(progress?.isLive == true)
        #expect(progress?.duration == nil)
    }

    @Test(
        "A name becomes one word of a shell",
        arguments: [
            ("Kitchen", "Kitchen"), ("Living Room", "\"Living Room\""), ("a\"b$", "\"a\\\"b\\$\""), ("", "\"\""),
            ("Küche", "\"Küche\""),
        ])
    func shellWords(name: String, word: String) {
        #expect(ScreenStatus(receiverName: name).howToCast == "castsend play FILE --to \(word)")
    }

    @Test(
        "Times and rates read as people write them",
        arguments: [(0, "0:00"), (5, "0:05"), (65, "1:05"), (3599, "59:59"), (3600, "1:00:00"), (45296, "12:34:56")])
    func times(seconds: Int, text: String) {
        #expect(TimeText.position(seconds) == text)
    }

    @Test("Rates have two decimals at most", arguments: [(0.5, "0.5×"), (1.25, "1.25×"), (2.0, "2×"), (1.05, "1.05×")])
    func rates(rate: Double, text: String) {
        #expect(TimeText.rate(rate) == text)
    }
}
