import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct DashTests {
    static let good = [
        #"<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:xlink="http://www.w3.org/1999/xlink"/>"#,
        "<MPD><BaseURL>http://h/a/</BaseURL><Location>https://h/b.mpd</Location></MPD>",
        #"<MPD><BaseURL>../video/</BaseURL><SegmentTemplate media="a-$Number%05d$.m4s" initialization='i.mp4'/></MPD>"#,
        #"<MPD><SegmentTemplate media="http://h/a?b=1&amp;c=2"/><!-- file:///x --><Title>Film: the end</Title></MPD>"#,
        #"<MPD publishTime="2020-01-01T00:00:00Z"><UTCTiming schemeIdUri="urn:x" value="2020:1"/></MPD>"#,
    ]

    static let bad = [
        "<MPD><BaseURL>file:///etc/</BaseURL></MPD>", "<MPD><BaseURL>\n FILE:/etc/passwd</BaseURL></MPD>",
        "<MPD><x:BaseURL a='b'>pipe:0</x:BaseURL></MPD>", "<MPD><BaseURL>concat:a|b</BaseURL></MPD>",
        "<MPD><BaseURL>&#102;ile:///etc/passwd</BaseURL></MPD>", "<MPD><BaseURL>f&#x69;le:/a</BaseURL></MPD>",
        "<MPD><BaseURL>&f;ile:/a</BaseURL></MPD>", "<MPD><BaseURL><![CDATA[file:///etc/]]></BaseURL></MPD>",
        "<!DOCTYPE MPD [<!ENTITY f 'file'>]><MPD/>", "<MPD><BaseURL>subfile,,start,0,end,9,,:/a</BaseURL></MPD>",
        #"<MPD><SegmentTemplate media="file:///etc/passwd"/></MPD>"#,
        "<MPD><SegmentTemplate\n initialization = '/a' media='crypto+file:/b'/></MPD>",
        "<MPD><BaseURL>file:///a>b</BaseURL></MPD>", "<MPD><BaseURL a='\">'>file:///a</BaseURL></MPD>",
        #"<MPD><SegmentURL a="x>y" media="file:/b"/></MPD>"#, #"<MPD><Period xlink:href="file:/b"/></MPD>"#,
    ]

    @Test("a manifest that leads to the web alone may be opened", arguments: good)
    func web(_ text: String) {
        #expect(DashAddresses.areWeb(text))
    }

    @Test("a manifest that leads anywhere else may not, however it is written", arguments: bad)
    func elsewhere(_ text: String) {
        #expect(!DashAddresses.areWeb(text))
    }

    @Test("a manifest cannot lead to files of the television")
    func files() throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let clip = try Kind.all[0].clip.path()
        try run("ffmpeg", ["-v", "error", "-i", clip, "-c", "copy", "-f", "dash", path + "/film.mpd"])
        let manifest = try String(contentsOfFile: path + "/film.mpd", encoding: .utf8)
        let local = manifest.replacingOccurrences(
            of: "<Period", with: "<BaseURL>file://\(path)/</BaseURL><Period")
        let server = try FaultServer()
        server.serve("/film.mpd", Data(local.utf8))
        let error = #expect(throws: CastError.self) {
            try Demuxer(MediaLocation(url: server.url("/film.mpd")), cancellation: Cancellation(), timeout: 3)
        }
        #expect(error?.code == .unsupportedURL)
        #expect(server.requests.count == 1)
    }
}
