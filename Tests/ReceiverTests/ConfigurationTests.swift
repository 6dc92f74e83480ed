import Casting
import Foundation
import TestSupport
import Testing

@testable import Receiver

@Suite struct ConfigurationTests {
    private func decode(_ text: String) throws -> ReceiverConfiguration {
        try ReceiverConfiguration.decode(Data(text.utf8), file: "tv.json5")
    }

    struct Wrong: CustomTestStringConvertible, Sendable {
        var text: String
        var key: String
        var reason: String
        var testDescription: String { text }
    }

    @Test(
        "an error names the file, the key and the reason",
        arguments: [
            Wrong(text: "{nmae: 'x'}", key: "nmae", reason: "is not known"),
            Wrong(text: "{screen: {fulscreen: true}}", key: "screen.fulscreen", reason: "is not known"),
            Wrong(
                text: "{screen: {window: {width: 640, height: 360, depth: 8}}}", key: "screen.window.depth",
                reason: "is not known"),
            Wrong(text: "{port: 'http'}", key: "port", reason: "must be a number"),
            Wrong(text: "{port: 1e300}", key: "port", reason: "must be a whole number"),
            Wrong(text: "{port: 70000}", key: "port", reason: "must be from 0 to 65535, and is 70000"),
            Wrong(text: "{port: -1}", key: "port", reason: "must be from 0 to 65535, and is -1"),
            Wrong(text: "{port: 80.5}", key: "port", reason: "must be a whole number"),
            Wrong(text: "{port: null}", key: "port", reason: "must be a number"),
            Wrong(text: "{name: 7}", key: "name", reason: "must be a text"),
            Wrong(text: "{name: ''}", key: "name", reason: "must not be empty (null means the default)"),
            Wrong(text: "{name: 'a\\nb'}", key: "name", reason: "must not hold control characters"),
            Wrong(
                text: "{name: '\(String(repeating: "x", count: 64))'}", key: "name",
                reason: "must be at most 63 bytes long"),
            Wrong(text: "{logLevel: 'loud'}", key: "logLevel", reason: "has a value that is not known"),
            Wrong(
                text: "{sessions: {takeover: 'maybe'}}", key: "sessions.takeover",
                reason: "has a value that is not known"),
            Wrong(text: "{screen: 5}", key: "screen", reason: "must be an object"),
            Wrong(text: "{screen: {fullscreen: 'yes'}}", key: "screen.fullscreen", reason: "must be true or false"),
            Wrong(text: "{screen: {window: {width: 640}}}", key: "screen.window.height", reason: "is missing"),
            Wrong(
                text: "{screen: {window: {width: 9, height: 360}}}", key: "screen.window.width",
                reason: "must be from 160 to 7680, and is 9"),
            Wrong(
                text: "{screen: {presenter: 'opengl'}}", key: "screen.presenter",
                reason: "has a value that is not known"),
            Wrong(
                text: "{screen: {hardwareDecoding: 1}}", key: "screen.hardwareDecoding", reason: "must be true or false"
            ),
            Wrong(text: "{audio: {delay: 3}}", key: "audio.delay", reason: "must be from -2.0 to 2.0, and is 3.0"),
            Wrong(text: "{audio: {delay: NaN}}", key: "audio.delay", reason: "must be from -2.0 to 2.0, and is nan"),
            Wrong(
                text: "{subtitles: {color: 'red'}}", key: "subtitles.color", reason: "must be a colour such as #FFD24A"),
            Wrong(text: "{audio: {volume: 1.5}}", key: "audio.volume", reason: "must be from 0.0 to 1.0, and is 1.5"),
            Wrong(
                text: "{tracks: {preferredLanguages: ['de', 'm']}}", key: "tracks.preferredLanguages",
                reason: "holds “m”, which is no language tag"),
            Wrong(
                text: "{buffer: {ahead: 5}}", key: "buffer.ahead",
                reason: "must be from 1048576 to 4294967296, and is 5"),
            Wrong(
                text: "{buffer: {behind: -1}}", key: "buffer.behind",
                reason: "must be from 0 to 4294967296, and is -1"),
            Wrong(text: "{tracks: {captions: 'on'}}", key: "tracks.captions", reason: "has a value that is not known"),
            Wrong(text: "{tracks: {sdh: 1}}", key: "tracks.sdh", reason: "must be true or false"),
            Wrong(text: "{network: {advertise: 1}}", key: "network.advertise", reason: "must be true or false"),
            Wrong(
                text: "{network: {allowedHostNames: 'tv'}}", key: "network.allowedHostNames", reason: "must be a list"),
            Wrong(
                text: "{network: {allowedHostNames: ['a b']}}", key: "network.allowedHostNames",
                reason: "holds “a b”, which is no host name"),
            Wrong(
                text: "{limits: {eventStreams: 0}}", key: "limits.eventStreams",
                reason: "must be from 1 to 10000, and is 0"),
            Wrong(text: "[]", key: "", reason: "must be an object"),
        ])
    func errors(_ row: Wrong) throws {
        let error = try #require(throws: CastError.self) { try decode(row.text) }
        #expect(error.code == .invalidConfiguration)
        #expect(error.details?["file"] == "tv.json5")
        #expect(error.details?["key"] == row.key)
        #expect(error.details?["reason"] == row.reason)
        #expect(error.message.hasPrefix("tv.json5: \(row.key)"))
        #expect(error.message.contains(row.reason))
    }

    @Test(
        "text that is no JSON5 is said to be none, with its place",
        arguments: [
            ("", "line 1, column 1 a value is missing"), ("{", "line 1, column 2 “}” is missing"),
            ("{\n  port 1,\n}", "line 2, column 8 a colon is missing after a key"),
            ("{port: 1", "line 1, column 9 “}” is missing"),
            ("{\n // all\n port: 1\n name: 'x'}", "line 4, column 2 a comma or “}” is missing"),
            ("{name: 'x}\n", "line 1, column 8 a text begins that does not end"),
            ("{name: TV}", "line 1, column 8 a text stands without quotation marks"),
            ("{port: }", "line 1, column 8 a value is missing"),
            ("{port: 1}}", "line 1, column 10 there is something after the end"),
            ("{/* port: 1}", "line 1, column 2 a comment begins that does not end"),
            ("{,}", "line 1, column 2 a key is missing"),
            (String(repeating: "[", count: 100_000), "line 1, column 257 it is nested too deep"),
        ])
    func malformed(_ text: String, _ place: String) throws {
        let error = try #require(throws: CastError.self) { try decode(text) }
        #expect(error.message == "tv.json5: is not JSON5: at \(place).")
    }

    @Test(
        "what is JSON5 has no fault",
        arguments: [
            "{}", "[]", "{a: [1, -.5, +1e3, 0xFF, NaN, Infinity, null,], 'b c': \"d\\\"e\", $x_1: 'y\\\nz',}",
            "// a\n1 /* b */",
            "\u{feff}{\"a\": true}\u{a0}", "{a:\r\n1}",
        ])
    func wellFormed(_ text: String) {
        #expect(JSON5Fault.first(in: text) == nil)
    }

    @Test("a file that is not there is an error that names it")
    func missing() throws {
        let error = try #require(throws: CastError.self) { try ReceiverConfiguration.load("/nowhere/tv.json5") }
        #expect(error.code == .invalidConfiguration)
        #expect(error.message.contains("/nowhere/tv.json5"))
    }

    @Test("what is given is taken, and the rest is default")
    func values() throws {
        var expected = ReceiverConfiguration()
        expected.name = "Living room"
        expected.port = 0
        expected.screen.window = Size(width: 640, height: 360)
        (expected.screen.presenter, expected.screen.hardwareDecoding) = (.surface, false)
        expected.audio.delay = -0.1
        expected.sessions.takeover = .never
        expected.logLevel = .debug
        let text = """
            { // JSON5 throughout
              name: 'Living room', port: 0, logLevel: "debug",
              screen: {window: {width: 640, height: 360,}, presenter: 'surface', hardwareDecoding: false}, audio: {delay: -.1}, sessions: {takeover: 'never'},
            }
            """
        #expect(try decode(text) == expected)
        #expect(try decode("{}") == ReceiverConfiguration())
    }

    @Test("a configuration survives being written and read")
    func roundTrip() throws {
        var configuration = ReceiverConfiguration()
        configuration.name = "Kitchen"
        configuration.limits.requestTime = 3
        let data = try JSONEncoder().encode(configuration)
        #expect(try ReceiverConfiguration.decode(data, file: "x") == configuration)
    }

    @Test("the shipped file holds the defaults, and comments every key")
    func shipped() throws {
        let path = packageRoot + "/config/castreceiver.json5"
        #expect(try ReceiverConfiguration.load(path) == ReceiverConfiguration())
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .map { $0.trimmingCharacters(in: .whitespaces) }
        let groups = ["screen", "audio", "network", "sessions"]
        for key in Self.keys {
            let places = lines.indices.filter { lines[$0].hasPrefix(key + ":") }
            #expect(places.count == 1, "\(key)")
            guard let place = places.first, place > 0, !groups.contains(key) else { continue }
            #expect(lines[place - 1].hasPrefix("//"), "\(key) has no comment")
        }
    }

    /// Every key of the type, at every depth.
    private static let keys: [String] =
        ReceiverConfiguration.CodingKeys.allCases.map(\.stringValue)
        + ReceiverConfiguration.Screen.CodingKeys.allCases.map(\.stringValue)
        + ReceiverConfiguration.Audio.CodingKeys.allCases.map(\.stringValue)
        + ReceiverConfiguration.Network.CodingKeys.allCases.map(\.stringValue)
        + ReceiverConfiguration.Sessions.CodingKeys.allCases.map(\.stringValue)
        + ReceiverConfiguration.Limits.CodingKeys.allCases.map(\.stringValue)

    @Test("no key is left out when a configuration is written")
    func allKeysAreStored() throws {
        var configuration = ReceiverConfiguration()
        (configuration.name, configuration.stateDirectory, configuration.audio.device) = ("a", "/b", "c")
        let text = String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self)
        for key in Self.keys { #expect(text.contains("\"\(key)\":"), "\(key)") }
    }
}
