import Testing

@testable import Media

@Suite struct ProtectionTests {
    private static let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"

    static let playlists: [(text: String, isProtected: Bool)] = [
        ("", false),
        ("#EXT-X-KEY:METHOD=NONE", false),
        ("#EXT-X-KEY:METHOD=AES-128,URI=\"key.bin\"", false),
        ("#EXT-X-KEY:METHOD=AES-128,URI=\"https://host/key\",KEYFORMAT=\"identity\"", false),
        ("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"key.bin\"", false),
        ("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\"", true),
        ("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\"", true),
        ("#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"data:text/plain;base64,AA\",KEYFORMAT=\"urn:uuid:edef8ba9\"", true),
        ("#EXT-X-KEY:METHOD=AES-128,URI=\"https://host/key\",KEYFORMAT=\"com.microsoft.playready\"", true),
        ("#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\"", true),
        // A key for everybody beside one for a provider's own players.
        (
            "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\r\n"
                + "#EXT-X-KEY:METHOD=AES-128,URI=\"key.bin\"", false
        ),
    ]

    @Test("a playlist's keys say whether anybody may play it", arguments: playlists.indices)
    func keys(_ index: Int) {
        let (text, isProtected) = Self.playlists[index]
        #expect(PlaylistProtection.isProtected(hls: Self.head + text + "\n#EXTINF:4,\na.ts\n") == isProtected)
    }
}
