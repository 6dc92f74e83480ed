import Casting
import Testing

@testable import Media

@Suite struct NetworkDecisionTests {
    @Test("a lost connection is tried with growing waits, and anew after progress")
    func retries() {
        var policy = RetryPolicy()
        let delays = (0..<9).map { _ in policy.delay(after: .lost, opening: false, now: 0) }
        #expect(delays == [0, 0.5, 1, 2, 2, 2, 2, 2, 2])
        policy.received(65_536)
        #expect(policy.delay(after: .slow, opening: false, now: 0) == 0)
        #expect(policy.delay(after: .lost, opening: false, now: 31) == nil)
        policy = RetryPolicy()
        // While something is left to play, and half a minute longer.
        #expect(policy.delay(after: .unreachable, opening: false, now: 0, dry: nil) == 0)
        #expect(policy.delay(after: .unreachable, opening: false, now: 300, dry: nil) == 0.5)
        #expect(policy.delay(after: .unreachable, opening: false, now: 329, dry: 300) == 1)
        #expect(policy.delay(after: .unreachable, opening: false, now: 331, dry: 300) == nil)
        policy = RetryPolicy()
        #expect((0..<3).map { _ in policy.delay(after: .busy(), opening: true, now: 0) } == [0.5, 1, nil])
        policy = RetryPolicy()
        #expect(policy.delay(after: .unreachable, opening: true, now: 0) == nil)
        #expect(policy.delay(after: .hopeless, opening: false, now: 0) == nil)
    }

    @Test("a server that asks to be left alone is, unless it asks for longer than anyone waits")
    func retryAfter() {
        var policy = RetryPolicy()
        #expect(policy.delay(after: .busy(retryAfter: 3), opening: true, now: 0) == 3)
        #expect(policy.delay(after: .busy(retryAfter: 3600), opening: true, now: 0) == nil)
        policy = RetryPolicy()
        #expect(policy.delay(after: .busy(retryAfter: 20), opening: false, now: 0) == 20)
        #expect(policy.delay(after: .busy(retryAfter: 0), opening: false, now: 0) == 0.5)
        #expect(policy.delay(after: .busy(retryAfter: .infinity), opening: false, now: 0) == nil)
    }

    @Test("a file has changed where its name or its date has, and not for a tag of another machine")
    func versions() {
        func version(_ tag: String?, _ date: String?) -> FileVersion {
            FileVersion(entityTag: tag, lastModified: date)
        }
        #expect(version("a", nil).hasChanged(to: version("b", nil)))
        #expect(version("a", "1").hasChanged(to: version("a", "2")))
        #expect(!version("a", "1").hasChanged(to: version("b", "1")))
        #expect(!version("a", nil).hasChanged(to: version(nil, "1")))
        #expect(!version(nil, nil).hasChanged(to: version("a", "1")))
    }

    @Test("a fresh URL gives what belonged to the old one its place and its signature")
    func freshAddresses() {
        let (old, new) = ("http://a/x/film.m3u8?t=1", "https://b/y/z/list.m3u8?t=2")
        #expect(FreshAddress.of(old, was: old, is: new) == new)
        #expect(FreshAddress.of("http://a/x/seg/1.ts?t=1", was: old, is: new) == "https://b/y/z/seg/1.ts?t=2")
        #expect(FreshAddress.of("http://a/x/1.ts", was: old, is: new) == "https://b/y/z/1.ts")
        #expect(FreshAddress.of("http://a/other/1.ts", was: old, is: new) == nil)
        #expect(FreshAddress.of("http://c/x/1.ts", was: old, is: new) == nil)
    }

    @Test("an address follows every renewal")
    func renewals() {
        let supply = MediaSupply(MediaLocation(url: "http://a/film?1"))
        supply.renew("http://a/film?2")
        supply.renew("http://b/film?3", headers: ["Cookie": "c"])
        for address in ["http://a/film?1", "http://a/film?2", "http://b/film?3"] {
            #expect(supply.present(address) == "http://b/film?3")
        }
        #expect(supply.present("http://c/film") == "http://c/film")
        #expect(supply.location.headers == ["Cookie": "c"])
    }

    @Test("throughput is what comes while it is waited for, and not what the system had in store")
    func throughput() {
        var meter = ThroughputMeter()
        for _ in 0..<100 { meter.record(bytes: 10_000, seconds: 0.01, idle: 0) }
        #expect(abs(meter.rate! - 1e6) < 1)
        #expect(meter.measuredBytes == 1_000_000)
        // After a pause, megabytes are there at once.
        meter.record(bytes: 65_536, seconds: 0.0001, idle: 5)
        for _ in 0..<100 { meter.record(bytes: 65_536, seconds: 0.0001, idle: 0) }
        #expect(abs(meter.rate! - 1e6) < 1)
        meter.record(bytes: 10_000, seconds: 0.01, idle: 0)
        meter.record(bytes: 20_000, seconds: 0.02, idle: 0)
        #expect(abs(meter.rate! - 1e6) < 1)
        #expect(meter.deviation! < 1)
        for _ in 0..<200 { meter.record(bytes: 5_000, seconds: 0.01, idle: 0) }
        #expect(meter.rate! < 7e5)
        #expect(meter.deviation! > 1e5)
    }
}
