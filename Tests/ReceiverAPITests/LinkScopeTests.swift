import Casting
import Testing

@testable import ReceiverAPI

@Suite struct LinkScopeTests {
    @Test("only a link-local peer tells the interface")
    func peers() {
        #expect(LinkScope(peer: "fe80::1%eth0")?.interface == "eth0")
        #expect(LinkScope(peer: "febf::1%wlan0.5")?.interface == "wlan0.5")
        for peer in ["fe80::1", "fe80::1%", "fec0::1%eth0", "2001:db8::1", "10.0.0.1", ""] {
            #expect(LinkScope(peer: peer) == nil, "\(peer)")
        }
    }

    @Test("a link-local address without interface gets the one the sender came by, and nothing else changes")
    func urls() throws {
        let link = try #require(LinkScope(peer: "fe80::1%eth0"))
        #expect(link.url("http://[fe80::2]:80/a") == "http://[fe80::2%25eth0]:80/a")
        #expect(link.url("https://[FE80::2]") == "https://[FE80::2%25eth0]")
        #expect(link.url("http://u:p@[fe80::2]/") == "http://u:p@[fe80::2%25eth0]/")
        for url in [
            "http://[fe80::2%25lan]/", "http://[fe80::2%lan]/", "http://[2001:db8::1]/a", "http://host/[fe80::2]",
            "http://10.0.0.1/?[fe80::2]", "http://host#[fe80::2]", "[fe80::2]", "http://[fe80::2", "",
        ] {
            #expect(link.url(url) == url)
        }
    }

    @Test("all that an item is fetched from is made whole; without an interface nothing is")
    func items() throws {
        var item = MediaItem(url: "http://[fe80::2]/a")
        item.artworkURL = "http://[fe80::2]/b"
        item.subtitles = [ExternalSubtitles(url: "http://[fe80::2]/c")]
        let whole = item.reached(by: LinkScope(peer: "fe80::1%eth0"))
        #expect(whole.url == "http://[fe80::2%25eth0]/a")
        #expect(whole.artworkURL == "http://[fe80::2%25eth0]/b")
        #expect(whole.subtitles?.first?.url == "http://[fe80::2%25eth0]/c")
        #expect(item.reached(by: LinkScope(peer: "10.0.0.1")) == item)
    }
}
