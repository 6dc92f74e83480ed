import Casting
import Foundation
import HTTP
import Receiver
import TestSupport
import Testing

@testable import ReceiverAPI

@Suite(.timeLimit(.minutes(2))) struct OpenAPITests {
    let description = APIDescription.shared

    @Test("the document and the router know the same operations")
    func operations() {
        #expect(description.document["openapi"] == .string("3.1.0"))
        let routed = APIOperation.all.map { "\($0.method) \($0.path)" }
        #expect(Set(routed).count == routed.count)
        #expect(Set(routed) == Set(description.operations.keys))
    }

    @Test("path parameters and the need of a token are as the router has them", arguments: APIOperation.all.indices)
    func parameters(_ index: Int) throws {
        let operation = APIOperation.all[index]
        let described = try #require(description.operations["\(operation.method) \(operation.path)"])
        let inPath = described["parameters"].elements.filter { $0["in"].text == "path" }.compactMap { $0["name"].text }
        let inTemplate = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            String($0.dropFirst().dropLast())
        }
        #expect(inPath == inTemplate)
        #expect((described["security"] != .null) == operation.needsSession)
        #expect(described["responses"]["default"] != .null)
    }

    @Test("operation ids are unique, every reference leads somewhere, every schema is used")
    func references() {
        let ids = description.operations.values.compactMap { $0["operationId"].text }
        #expect(ids.count == description.operations.count)
        #expect(Set(ids).count == ids.count)
        var named: Set<String> = []
        func walk(_ value: JSONValue) {
            if let reference = value["$ref"].text {
                #expect(description.resolve(value) != .null, "\(reference)")
                named.insert(reference)
            }
            for field in value.fields.values { walk(field) }
            for element in value.elements { walk(element) }
        }
        walk(description.document)
        for kind in ["schemas", "responses"] {
            for name in description.document["components"][kind].fields.keys {
                #expect(named.contains("#/components/\(kind)/\(name)"), "\(name) is not used")
            }
        }
    }

    struct Example: Sendable, CustomTestStringConvertible {
        var schema: String
        var value: any Codable & Sendable
        var testDescription: String { schema }
    }

    /// A value of each type with every field there is.
    static let examples: [Example] = {
        let range = TimeRange(start: 0.5, end: 2)
        let size = Size(width: 4, height: 3)
        let error = CastError(.timedOut, "Slow.", hint: "Wait.", details: ["a": "b"])
        var item = MediaItem(url: "https://h/a.mp4", title: "T", startPosition: 1, paused: true)
        (item.id, item.artist, item.artworkURL, item.contentType, item.rate) = (
            "a", "A", "http://h/b.png", "video/mp4", 1
        )
        (item.headers, item.preferredLanguages) = (["A": "b"], ["de"])
        item.normalizesLoudness = true
        item.pictureDuration = 5
        item.subtitles = [ExternalSubtitles(url: "http://h/c.vtt", language: "de", name: "D")]
        var state = PlaybackState()
        state.subtitles = SubtitleSettings()
        state.reasonForWaitingToPlay = .toMinimizeStalls
        state.timeline.sentAt = .now
        state.queue = ["a"]
        let rect = VideoRect(x: -1, y: 0, width: 3, height: 1)
        state.videoRect = rect
        state.statistics.audioVideoOffset = 0.01
        var known = ItemState(id: "a", title: "T", artist: "A", artworkURL: "http://h/b.png")
        known.notice = error
        (known.error, known.duration, known.presentationSize, known.container) = (error, 9, size, "mp4")
        known.dynamicRange = ShownDynamicRange(media: .pq, shown: .sdr)
        (known.seekableTimeRanges, known.loadedTimeRanges) = ([range], [range])
        known.tracks = [MediaTrack(id: "0", kind: .audible, codec: "aac", language: "de", name: "D", selected: true)]
        let option = MediaSelectionOption(id: "0", name: "D", language: "de", characteristics: [.mainProgramContent])
        let group = MediaSelectionGroup(
            characteristic: .audible, allowsEmptySelection: false, selected: "0", automatic: true, options: [option])
        known.mediaSelectionGroups = [group]
        (known.album, known.track, known.date, known.artworkType) = ("L", "1/2", "2001", "image/png")
        known.chapters = [Chapter(title: "C", start: 0, end: 1)]
        state.item = known
        let end = SessionEnd(item: item, position: 3, wasPlaying: true)
        let sender = SenderIdentity(id: "a", name: "Anna")
        let capabilities = ReceiverInfo.Capabilities(
            protocols: ["http"], containers: ["mp4"], videoCodecs: ["h264"], audioCodecs: ["aac"], screenSize: size,
            rates: range)
        var access = AccessLogEntry(
            uri: "http://h/a", playbackStartDate: "d", playbackSessionID: "s", playbackStartOffset: 1)
        (access.playbackType, access.startupTime, access.serverAddress) = ("FILE", 1, "::1")
        (access.observedBitrate, access.observedBitrateStandardDeviation) = (1, 1)
        let fault = ErrorLogEntry(
            date: "d", uri: "http://h/a", serverAddress: "::1", playbackSessionID: "s", errorStatusCode: 503,
            errorDomain: "timedOut", errorComment: "Slow.")
        return [
            Example(schema: "AccessLogDocument", value: AccessLogDocument(itemID: "a", events: [access])),
            Example(schema: "AccessLogEntry", value: access),
            Example(schema: "ErrorLogDocument", value: ErrorLogDocument(itemID: "a", events: [fault])),
            Example(schema: "ErrorLogEntry", value: fault),
            Example(
                schema: "SourceRenewal",
                value: SourceRenewal(url: "http://h/a", headers: ["A": "b"], itemID: "a")),
            Example(schema: "URLExpiry", value: URLExpiry(itemID: "a", status: 403, timeout: 15)),
            Example(schema: "MediaItem", value: item), Example(schema: "ExternalSubtitles", value: item.subtitles![0]),
            Example(schema: "PlaybackState", value: state), Example(schema: "Timeline", value: state.timeline),
            Example(schema: "ItemState", value: known), Example(schema: "MediaTrack", value: known.tracks[0]),
            Example(schema: "ShownDynamicRange", value: known.dynamicRange!),
            Example(schema: "Chapter", value: known.chapters![0]),
            Example(schema: "MediaSelectionGroup", value: group),
            Example(schema: "MediaSelectionOption", value: option),
            Example(schema: "TracksDocument", value: TracksDocument(itemID: "a", groups: [group])),
            Example(schema: "TrackSelectionRequest", value: TrackSelectionRequest(option: "0")),
            Example(schema: "VideoRect", value: rect),
            Example(schema: "PlaybackStatistics", value: state.statistics), Example(schema: "CastError", value: error),
            Example(schema: "TimeRange", value: range), Example(schema: "Size", value: size),
            Example(schema: "SessionEnd", value: end), Example(schema: "SenderIdentity", value: sender),
            Example(schema: "SessionRequest", value: SessionRequest(sender: sender, takeover: .never)),
            Example(schema: "SessionGrant", value: SessionGrant(id: "a", token: "b", state: state, interrupted: end)),
            Example(
                schema: "ReceiverInfo",
                value: ReceiverInfo(
                    id: "a", name: "b", model: "c", version: "1", protocolVersion: 1, capabilities: capabilities,
                    availability: .busy, currentSender: "d")),
            Example(schema: "Capabilities", value: capabilities),
            Example(
                schema: "AvailabilityDocument", value: AvailabilityDocument(availability: .idle, currentSender: "a")),
            Example(
                schema: "SeekRequest",
                value: SeekRequest(position: 1, toleranceBefore: 1, toleranceAfter: 1, scrubs: true)),
            Example(schema: "StepRequest", value: StepRequest(pictures: -1)),
            Example(schema: "SkipRequest", value: SkipRequest(seconds: -10)),
            Example(
                schema: "SeekOutcome",
                value: SeekOutcome(finished: false, position: 1, reason: .outOfRange, seekableTimeRanges: [range])),
            Example(schema: "RateRequest", value: RateRequest(rate: 1, defaultRate: 1)),
            Example(schema: "PlayRequest", value: PlayRequest(rate: 1, immediately: true)),
            Example(schema: "PlaybackOptions", value: PlaybackOptions.standard),
            Example(schema: "SubtitleSettings", value: SubtitleSettings()),
            Example(
                schema: "SubtitleChange",
                value: SubtitleChange(delay: 1, delayAdjustment: 1, size: 1, color: "#FFFFFF", position: 1)),
            Example(schema: "VolumeRequest", value: VolumeRequest(volume: 1, adjustment: 0.1, muted: true)),
            Example(schema: "EnqueueRequest", value: EnqueueRequest(items: [item], before: "a")),
            Example(schema: "QueueDocument", value: QueueDocument(items: [item], current: "a")),
            Example(schema: "TimeJump", value: TimeJump(itemID: "a", from: 1, to: 2, reason: .seek)),
            Example(schema: "RateChange", value: RateChange(itemID: "a", rate: 1, reason: .stalled)),
            Example(schema: "BoundaryCrossing", value: BoundaryCrossing(itemID: "a", time: 2)),
            Example(schema: "RouteLoss", value: RouteLoss(reason: .takenOver, by: "a", item: item, position: 1)),
            Example(schema: "Problem", value: ProblemDetails(error)),
        ]
    }()

    @Test("each schema has exactly the fields that its type writes", arguments: examples)
    func schemas(_ example: Example) throws {
        let value = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(example.value))
        let schema = description.schema(example.schema)
        #expect(description.complaints(value, schema) == [])
        #expect(Set(schema["properties"].fields.keys) == Set(value.fields.keys))
        // What is required is what a value cannot be read without; `sentAt` is the wire's alone.
        for name in schema["properties"].fields.keys {
            var less = value.fields
            less[name] = nil
            let data = try JSONEncoder().encode(JSONValue.object(less))
            let isRequired = schema["required"].elements.contains(.string(name))
            let isReadable = (try? Self.read(data, like: example.value)) != nil
            if isReadable, isRequired {
                #expect(["sentAt", "duration"].contains(name), "\(name) need not be required")
            }
            if !isReadable { #expect(isRequired, "\(name) must be required") }
        }
    }

    private static func read<Value: Decodable>(_ data: Data, like value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: data)
    }

    @Test("every schema that is an object has an example, or is an event's")
    func everySchemaHasAnExample() {
        let objects = description.document["components"]["schemas"].fields.filter { $0.value["type"].text == "object" }
        #expect(Set(objects.keys) == Set(Self.examples.map(\.schema)).union(["ItemNotice", "ItemFailure"]))
    }

    @Test(
        "enumerations list what the types know",
        arguments: [
            ("Takeover", [Takeover.never, .ifIdle, .always].map(\.rawValue)),
            ("Availability", [Availability.idle, .busy].map(\.rawValue)),
        ])
    func enumerations(_ name: String, _ values: [String]) {
        #expect(description.schema(name)["enum"].elements.compactMap(\.text) == values)
    }

    /// A body that is right, for each operation that takes one.
    static let bodies = [
        "renewSource": #"{"url":"http://h/b.mp4"}"#,
        "openSession": #"{"sender":{"id":"a","name":"Anna"}}"#, "loadItem": #"{"url":"http://h/a.mp4"}"#,
        "seek": #"{"position":1}"#, "skip": #"{"seconds":1}"#, "step": #"{"pictures":1}"#, "setRate": #"{"rate":1}"#,
        "setVolume": #"{"muted":true}"#,
        "setSubtitles": ##"{"delayAdjustment":0.5,"size":1.5,"color":"#FFD24A"}"##, "play": #"{"immediately":true}"#,
        "setOptions": #"{"loop":"one"}"#,
        "selectTrack": #"{"option":null}"#, "enqueue": #"{"items":[{"url":"http://h/a.mp4"}]}"#,
    ]

    @Test("each operation can answer each code the document names for it", arguments: APIOperation.all.indices)
    func answerCodes(_ index: Int) async throws {
        let operation = APIOperation.all[index]
        let described = try #require(description.operations["\(operation.method) \(operation.path)"])
        let body = described["requestBody"] == .null ? nil : Self.bodies[described["operationId"].text ?? ""]
        #expect((described["requestBody"] == .null) == (body == nil))
        let stage = try APIStage(picture: .failure(CastError(.outputUnavailable, "No screen.")))
        let good = try APIStage()
        for code in described["responses"].fields.keys.sorted() where code != "default" {
            let answer = try await provoke(code, operation, body, on: code == "200" ? good : stage)
            #expect(answer == Int(code), "\(operation.method) \(operation.path)")
        }
    }

    /// Calls an operation in such a way that it must answer that code.
    private func provoke(_ code: String, _ operation: APIOperation, _ body: String?, on stage: APIStage) async throws
        -> Int
    {
        guard operation.needsSession else {
            if operation.path.hasSuffix("events") { return try await head(stage, operation.path) }
            switch code {
            case "409": _ = try await stage.open("Bert", .always)
            case "410": await stage.receiver.shutdown()
            default: break
            }
            let text =
                code == "400" ? "{" : code == "409" ? #"{"sender":{"id":"a","name":"Anna"},"takeover":"never"}"# : body
            return try await stage.call(
                operation.method, operation.path, text, headers: code == "415" ? ["Content-Type": "text/plain"] : [:]
            ).status
        }
        let session = try await stage.open("Anna", .always)
        _ = try await session.call("PUT", "item", #"{"id":"one","url":"http://h/a.mp4"}"#)
        var path = operation.path.replacing("{session}", with: session.id).replacing("{item}", with: "one")
            .replacing("{characteristic}", with: "audible")
        var text = body
        var token = session.token
        var headers: HTTPHeaders = [:]
        switch code {
        case "400":
            if body == nil {
                path = path.replacing("/one", with: "/%00") + (path.hasSuffix("events") ? "?progressInterval=x" : "")
            } else {
                text = "{"
            }
        case "401": token = "wrong"
        case "404":
            if path.hasSuffix("one") {
                path = path.replacing("/one", with: "/two")
            } else {
                path = path.replacing(session.id, with: "nobody")
            }
        case "409": stage.player.failNext(with: CastError(.operationCancelled, "Superseded."))
        case "410": _ = try await session.call("DELETE", "")
        case "415": headers["Content-Type"] = "text/plain"
        case "422": stage.player.failNext(with: CastError(.decodeFailed, "Broken."))
        default: break
        }
        if path.hasSuffix("events"), code == "200" { return try await head(stage, path, token) }
        return try await stage.call(operation.method, path, text, token: token, headers: headers).status
    }

    private func head(_ stage: APIStage, _ path: String, _ token: String = "") async throws -> Int {
        let headers: HTTPHeaders = token.isEmpty ? [:] : ["Authorization": "Bearer " + token]
        for try await element in stage.client.events(stage.origin + path, headers: headers) {
            if case .opened(let head) = element { return head.status }
        }
        return 0
    }
}
