import Casting
import Foundation
import HTTP
import TestSupport
import Testing

@testable import Media

@Suite struct StreamingTests {
    enum Playlist: String, CaseIterable {
        case hls, fmp4, encrypted, dash
    }

    @Test("HLS and DASH play, and their segments come one after another", arguments: Playlist.allCases)
    func plays(_ playlist: Playlist) throws {
        let folder = try TemporaryFolder()
        let path = try make(playlist, in: folder)
        let server = try FaultServer()
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            server.serve("/" + name, try #require(FileManager.default.contents(atPath: path + "/" + name)))
        }
        let demuxer = try Demuxer(
            MediaLocation(url: server.url(playlist == .dash ? "/film.mpd" : "/film.m3u8")),
            cancellation: Cancellation())
        #expect(demuxer.isSeekable)
        #expect(!demuxer.isLive)
        #expect(abs(try #require(demuxer.duration) - 4) < 0.2)
        let decoded = try Decoded(demuxer)
        #expect(decoded.numbers == Array(0..<100))
        #expect(abs(try #require(decoded.soundEnd) - 4) < 0.15)
        // Picture and sound that come apart are loaded side by side.
        #expect(server.mostConnections <= (playlist == .dash ? 3 : 2))
    }

    @Test("a seek in HLS and DASH lands on a key frame at or before its target", arguments: Playlist.allCases)
    func seeks(_ playlist: Playlist) throws {
        let folder = try TemporaryFolder()
        let demuxer = try FakeServer(folder: make(playlist, in: folder)).demuxer(
            "http://server/film." + (playlist == .dash ? "mpd" : "m3u8"))
        for (target, key) in [(2.5, 50), (0.5, 0), (3.1, 75), (0, 0)] {
            try demuxer.seek(to: target)
            #expect(try Decoded(demuxer, enough: 1).numbers.first == key, "seek to \(target)")
        }
    }

    @Test("of a master playlist one variant is loaded")
    func master() throws {
        let folder = try TemporaryFolder()
        let path = try make(.hls, in: folder)
        try Data(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=9000000,RESOLUTION=3840x2160
            huge.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=640x360
            film.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=320x180
            small.m3u8
            """.utf8
        ).write(to: URL(fileURLWithPath: path + "/master.m3u8"))
        let server = FakeServer(folder: path)
        #expect(try Decoded(server.demuxer("http://server/master.m3u8")).numbers.count == 100)
        #expect(!server.log.requests.contains { $0.url.contains("huge") || $0.url.contains("small") })
    }

    @Test("headers go to the origin they were given for and to no other")
    func headers() throws {
        let folder = try TemporaryFolder()
        let path = try make(.hls, in: folder)
        let playlist = try String(contentsOfFile: path + "/film.m3u8", encoding: .utf8)
        let elsewhere = playlist.replacingOccurrences(of: "film1.ts", with: "http://other/film1.ts")
        try Data(elsewhere.utf8).write(to: URL(fileURLWithPath: path + "/film.m3u8"))
        let server = FakeServer(folder: path)
        let network = server.network("http://server/film.m3u8", headers: ["Cookie": "secret"])
        #expect(try Decoded(Demuxer(network, timeout: 10)).numbers.count == 100)
        for request in server.log.requests {
            #expect((request.headers["Cookie"] == "secret") == request.url.hasPrefix("http://server/"))
        }
        #expect(server.log.requests.contains { $0.url.hasPrefix("http://other/") })
    }

    @Test(
        "a playlist cannot lead to files of the television", arguments: ["file:///etc/passwd", "/dev/zero", "concat:a"])
    func forbidden(_ address: String) throws {
        let playlist = Data("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n\(address)\n#EXT-X-ENDLIST\n".utf8)
        let server = FakeServer { $0 == "film.m3u8" ? playlist : nil }
        #expect(throws: CastError.self) { try server.demuxer("http://server/film.m3u8", timeout: 2) }
        #expect(server.log.requests.allSatisfy { $0.url.hasPrefix("http://server/") })
    }

    @Test("what comes after a discontinuity of HLS plays, and can be gone to")
    func discontinuity() throws {
        let folder = try TemporaryFolder()
        let path = try make(.hls, in: folder)
        let list = try String(contentsOfFile: path + "/film.m3u8", encoding: .utf8)
        let pieces = list.components(separatedBy: "\n").filter { $0.hasPrefix("#EXTINF") || $0.hasSuffix(".ts") }
        let twice =
            ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:2"] + pieces + ["#EXT-X-DISCONTINUITY"] + pieces
            + ["#EXT-X-ENDLIST", ""]
        try Data(twice.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path + "/twice.m3u8"))
        let server = FakeServer(folder: path)
        let whole = try server.demuxer("http://server/twice.m3u8")
        let decoded = try Decoded(whole)
        #expect(decoded.numbers == Array(0..<100) + Array(0..<100))
        let steps = zip(decoded.pictureTimes, decoded.pictureTimes.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 > 0 && $0 < 0.15 }, "\(steps.filter { $0 > 0.05 })")
        #expect(abs(try #require(decoded.soundEnd) - 8) < 0.2)
        // Where it has been played through the places are known, and else they come from the playlist.
        for (demuxer, exactness) in [(whole, 0.001), (try server.demuxer("http://server/twice.m3u8"), 0.15)] {
            #expect(abs(try #require(demuxer.duration) - 8) < 0.2)
            for (target, place) in [(6.5, 150), (4.9, 100), (1.3, 25), (7.9, 175)] {
                try demuxer.seek(to: target)
                let there = try Decoded(demuxer, enough: 1)
                #expect(there.numbers.first == place % 100, "seek to \(target)")
                let time = try #require(there.pictureTimes.first)
                #expect(
                    abs(time - decoded.pictureTimes[place]) < exactness,
                    "seek to \(target): \(time), not \(decoded.pictureTimes[place])")
            }
        }
    }

    @Test("a piece of a film that is not there ends it with an error, and is not passed over")
    func missing() throws {
        for playlist in [Playlist.hls, .dash] {
            let folder = try TemporaryFolder()
            let path = try make(playlist, in: folder)
            let server = FakeServer { name in
                name.contains("film2") || name.contains("stream0-00003")
                    ? nil : try? Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
            }
            let demuxer = try server.demuxer("http://server/film." + (playlist == .dash ? "mpd" : "m3u8"))
            let error = #expect(throws: CastError.self) { while try demuxer.nextPacket() != nil {} }
            #expect(error?.code == .noLongerPlayable)
            try demuxer.seek(to: 0)
            #expect(try demuxer.nextPacket() != nil)
        }
    }

    @Test("item time goes on where the clock of a transport stream jumps", arguments: ["0", "50"])
    func jumps(_ offset: String) throws {
        let folder = try TemporaryFolder()
        var clip = Kind.all[5].clip
        clip.duration = 2
        let path = try clip.path()
        try run(
            "ffmpeg",
            ["-v", "error", "-i", path, "-c", "copy", "-output_ts_offset", offset, folder.path + "/second.ts"])
        let both =
            try Data(contentsOf: URL(fileURLWithPath: path))
            + Data(
                contentsOf: URL(fileURLWithPath: folder.path + "/second.ts"))
        let decoded = try Decoded(FakeServer { _ in both }.demuxer("http://server/film.ts"))
        #expect(decoded.numbers.count == 100)
        #expect(zip(decoded.pictureTimes, decoded.pictureTimes.dropFirst()).allSatisfy { $0 < $1 && $1 < $0 + 0.2 })
        #expect(abs(try #require(decoded.soundEnd) - 4) < 0.2)
    }

    /// Makes a folder with a film of 4 s in segments of 1 s, and answers its path.
    private func make(_ playlist: Playlist, in folder: TemporaryFolder) throws -> String {
        var clip = Kind.all[0].clip
        clip.duration = 4
        let path = try clip.path()
        var arguments = ["-v", "error", "-i", path, "-c", "copy"]
        switch playlist {
        case .hls: arguments += ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0"]
        case .fmp4: arguments += ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "-hls_segment_type", "fmp4"]
        case .encrypted:
            try Data("0123456789abcdef".utf8).write(to: URL(fileURLWithPath: folder.path + "/key"))
            try Data("key\n\(folder.path)/key\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/info"))
            arguments += [
                "-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "-hls_key_info_file", folder.path + "/info",
            ]
        case .dash: arguments += ["-f", "dash", "-seg_duration", "1"]
        }
        try run("ffmpeg", arguments + [folder.path + (playlist == .dash ? "/film.mpd" : "/film.m3u8")])
        return folder.path
    }
}
