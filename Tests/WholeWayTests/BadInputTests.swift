import Casting
import Foundation
import HTTP
import Sender
import TestSupport
import Testing

/// The receiver takes anything that comes over the network, and goes on.
struct BadInputTests {
    /// A request, byte for byte, and what it is answered with.
    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: String
        let status: Int

        init(_ name: String, _ status: Int, _ line: String, _ headers: [String] = [], body: String? = nil) {
            testDescription = name
            self.status = status
            var lines = [line + " HTTP/1.1"] + headers + ["Connection: close"]
            if !headers.contains(where: { $0.hasPrefix("Host") }) { lines.append("Host: 127.0.0.1") }
            if let body {
                lines.append("Content-Length: \(body.utf8.count)")
                lines.append("Content-Type: application/json")
            }
            request = (lines + ["", body ?? ""]).joined(separator: "\r\n")
        }

        init(raw: String, _ status: Int, _ name: String) {
            (testDescription, self.status, request) = (name, status, raw)
        }

        fileprivate func inSession(_ key: SessionKey) -> String {
            request.replacingOccurrences(of: "SESSION", with: key.id).replacingOccurrences(of: "TOKEN", with: key.token)
        }
    }

    private static let mine = ["Authorization: Bearer TOKEN"]
    private static let sender = #""sender": {"id": "a", "name": "A"}"#

    static let requests: [Bad] = [
        Bad("no JSON", 400, "POST /v1/sessions", body: "{ sender: "),
        Bad("nothing", 400, "POST /v1/sessions", body: ""),
        Bad("another type", 400, "POST /v1/sessions", body: #"{"sender": 7}"#),
        Bad("a list", 400, "POST /v1/sessions", body: "[1, 2, 3]"),
        Bad("an unknown word", 400, "POST /v1/sessions", body: #"{\#(sender), "takeover": "please"}"#),
        Bad("no name", 400, "POST /v1/sessions", body: #"{"sender": {"id": "a", "name": ""}}"#),
        Bad("a deep nest", 400, "POST /v1/sessions", body: String(repeating: "[", count: 500_000)),
        Bad("a deep nest of objects", 400, "POST /v1/sessions", body: String(repeating: #"{"sender":"#, count: 90_000)),
        Bad("a text for a number", 400, "POST /v1/sessions/SESSION/seek", mine, body: #"{"position": "1"}"#),
        Bad("no number", 400, "POST /v1/sessions/SESSION/seek", mine, body: #"{"position": 1e999}"#),
        Bad("a loud volume", 400, "POST /v1/sessions/SESSION/volume", mine, body: #"{"volume": 7}"#),
        Bad("a rate of -1", 400, "POST /v1/sessions/SESSION/rate", mine, body: #"{"rate": -1}"#),
        Bad("no address", 400, "PUT /v1/sessions/SESSION/item", mine, body: #"{"url": ""}"#),
        Bad(
            "a header in a header", 400, "PUT /v1/sessions/SESSION/item", mine,
            body: #"{"url": "http://127.0.0.1:1/", "headers": {"A": "b\r\nC: d"}}"#),
        Bad("a session that never was", 404, "GET /v1/sessions/nobody/playback", mine),
        Bad("a path that is not there", 404, "GET /v1/../../etc/passwd"),
        Bad("no token", 401, "GET /v1/sessions/SESSION/playback"),
        Bad("a wrong token", 401, "GET /v1/sessions/SESSION/playback", ["Authorization: Bearer TOKEM"]),
        Bad("another kind of token", 401, "POST /v1/sessions/SESSION/stop", ["Authorization: Basic TOKEN"]),
        Bad("a method that is not there", 405, "DELETE /v1/receiver"),
        Bad("another machine's name", 421, "GET /v1/receiver", ["Host: evil.example"]),
        Bad("a huge body", 413, "POST /v1/sessions", ["Content-Length: 2000000"]),
        Bad("a huge header", 431, "GET /v1/receiver", ["X-Fill: " + String(repeating: "x", count: 20_000)]),
        Bad(raw: "GET /v1/receiver HTTP/1.1\r\nConnection: close\r\n\r\n", 421, "no host"),
        Bad(raw: "HELLO THERE YOU\r\nHost: 127.0.0.1\r\n\r\n", 400, "no HTTP"),
        Bad(
            raw: "POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n", 400, "a negative length"
        ),
    ]

    @Test("whatever is asked, it answers with the right status and goes on")
    func requests() async throws {
        let theatre = try await Theatre()
        let session = try await theatre.openSession()
        let port = theatre.port
        for bad in Self.requests {
            let text = bad.inSession(session.key)
            let answer = try await onOwnThread {
                let connection = try RawConnection(port: port, timeout: 10)
                // The answer may come, and the connection end, before all is sent.
                try? connection.send(text)
                return String(decoding: try connection.receiveToEnd(), as: UTF8.self)
            }
            #expect(answer.hasPrefix("HTTP/1.1 \(bad.status) "), "\(bad.testDescription): \(answer.prefix(600))")
            if !["no HTTP", "a negative length", "no host"].contains(bad.testDescription) {
                #expect(answer.contains("application/problem+json"), "\(bad.testDescription): \(answer.prefix(600))")
            }
            #expect(!answer.contains(session.key.token))
        }
        #expect(try await session.playback().item == nil)
        #expect(!theatre.receiver.errors.contains(session.key.token))
    }

    @Test("who sends slowly is closed after the time that is set, however it drips")
    func slow() async throws {
        let folder = try TemporaryFolder()
        try "{ limits: { requestTime: 1 } }".write(toFile: folder.path + "/c.json5", atomically: true, encoding: .utf8)
        let theatre = try await Theatre(["--config", folder.path + "/c.json5"])
        let port = theatre.port
        for isDripping in [false, true] {
            let seconds = try await onOwnThread {
                let connection = try RawConnection(port: port, timeout: 10)
                let start = ContinuousClock.now
                try connection.send("POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n")
                if isDripping {
                    for _ in 0..<40 {
                        guard (try? connection.send("X")) != nil else { break }
                        usleep(100_000)
                    }
                }
                _ = try? connection.receiveToEnd()
                return (ContinuousClock.now - start) / .seconds(1)
            }
            #expect(seconds > 0.5)
            #expect(seconds < (isDripping ? 5 : 3))
        }
        #expect(try await theatre.client.receiver().availability == .idle)
    }

    @Test("200 followers hear the same while it plays")
    func followers() async throws {
        let theatre = try await Theatre()
        let server = try ClipServer(path: try Clip().path())
        let session = try await theatre.openSession()
        try await session.load(MediaItem(url: server.url))
        let (key, port) = (session.key, theatre.port)
        let streams = try await onOwnThread {
            try (0..<200).map { index in
                // From several machines: each may have so many connections only.
                let stream = try RawConnection(port: port, from: "127.0.1.\(index / 40 + 1)", timeout: 20)
                try stream.send(
                    "GET /v1/sessions/\(key.id)/events?progressInterval=0.5 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                        + "Authorization: Bearer \(key.token)\r\n\r\n")
                return stream
            }
        }
        func heard(_ text: String) async throws -> [String] {
            try await onOwnThread { try streams.map { try $0.receive(until: text) } }
        }
        #expect(try await heard("event: state").allSatisfy { $0.contains("HTTP/1.1 200") })
        try await session.setVolume(VolumeRequest(volume: 0.37))
        #expect(try await heard("\"volume\":0.37").allSatisfy { $0.contains("0.37") })
        #expect(try await session.playback().statistics.stalls == 0)
        _ = try await session.disconnect()
        #expect(try await heard("disconnected").allSatisfy { $0.contains("routeLost") })
    }

    @Test("a sender that is killed with the film it serves: playback waits, fails, and the receiver goes on")
    func senderKilled() async throws {
        let theatre = try await Theatre()
        var clip = Clip()
        (clip.duration, clip.keyInterval) = (60, 250)
        // So large that neither the player's buffer nor the sockets' can hold all of it.
        clip.video = [
            "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-b:v", "12M", "-minrate", "12M",
            "-maxrate", "12M", "-bufsize", "2M", "-x264-params", "nal-hrd=cbr",
        ]
        let sender = try theatre.startCastsend("play", try clip.path())
        #expect(try await theatre.eventuallyState(within: 20) { $0.timeControlStatus == .playing })
        let session = try theatre.castsendSession()
        sender.signal(SIGKILL)
        #expect(await sender.status() == 128 + SIGKILL)
        // What is at hand plays on; what is not has to be waited for.
        #expect(try await session.playback().timeControlStatus == .playing)
        let seek = Task { try? await session.seek(SeekRequest(position: 57)) }
        #expect(
            try await theatre.eventuallyState {
                $0.timeControlStatus == .waitingToPlayAtSpecifiedRate && $0.item?.status == .readyToPlay
            })
        #expect(try await theatre.eventuallyState(within: 60) { $0.item?.status == .failed })
        let error = try #require(try await session.playback().item?.error)
        #expect([.networkConnectionLost, .noLongerPlayable, .cannotConnectToHost].contains(error.code), "\(error)")
        _ = await seek.value
        let server = try ClipServer(path: try Clip().path())
        #expect(try await theatre.castsend("play", server.url, "--paused", "--detach").status == 0)
        #expect(try await theatre.frameNumber() == 0)
    }
}
